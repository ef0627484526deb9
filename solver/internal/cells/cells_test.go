package cells

import (
	"math/rand/v2"
	"testing"

	"sudoku/solver/internal/lanes"
)

// The plain functions say cell by cell what those of the package do.

func plainParse(g, text *Grid) bool {
	for i, c := range text {
		switch {
		case '0' <= c && c <= '9':
			g[i] = c - '0'
		case c == '.':
			g[i] = 0
		default:
			return false
		}
	}
	return true
}

func plainFormat(text, g *Grid) bool {
	for i, d := range g {
		if d > 9 {
			return false
		}
		text[i] = ".123456789"[d]
	}
	return true
}

func plainKeeps(g, puzzle *Grid) bool {
	for i, d := range puzzle {
		if d != 0 && g[i] != d {
			return false
		}
	}
	return true
}

func plainComplete(g *Grid) bool {
	var houses [27]int
	for i, d := range g {
		for _, h := range []int{i / 9, 9 + i%9, 18 + i/27*3 + i%9/3} {
			houses[h] |= 1 << d
		}
	}
	for _, digits := range houses {
		if digits != 0x3fe {
			return false
		}
	}
	return true
}

// both runs f with words and, where there are any, with vectors.
func both(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	defer UseVectors(false)
	t.Run("words", f)
	if lanes.AVX2.Available() {
		UseVectors(true)
		t.Run("vectors", f)
	}
}

// complete returns a complete grid.
func complete(r *rand.Rand) (g Grid) {
	digits, rows, columns := r.Perm(9), lines(r), lines(r)
	for i := range g {
		row, column := rows[i/9], columns[i%9]
		g[i] = uint8(digits[(row*3+row/3+column)%9] + 1)
	}
	return g
}

// lines returns the rows in an order that keeps those of a band together.
func lines(r *rand.Rand) (order []int) {
	for _, band := range r.Perm(3) {
		for _, row := range r.Perm(3) {
			order = append(order, 3*band+row)
		}
	}
	return order
}

// nearly returns a grid with n cells of g changed to less than most, or exchanged.
func nearly(r *rand.Rand, g Grid, n, most int) Grid {
	for range n {
		i, j := r.IntN(81), r.IntN(81)
		if r.IntN(2) == 0 {
			g[i] = uint8(r.IntN(most))
		} else {
			g[i], g[j] = g[j], g[i]
		}
	}
	return g
}

const rounds = 20_000

func TestParse(t *testing.T) {
	both(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 1))
		for range rounds {
			var text Grid
			plainFormat(&text, new(nearly(r, complete(r), r.IntN(81), 10)))
			for range r.IntN(3) {
				text[r.IntN(81)] = uint8(r.IntN(256))
			}
			var want, got Grid
			ok := plainParse(&want, &text)
			if Parse(&got, &text) != ok || ok && got != want {
				t.Fatalf("Parse(%q) = %v, want %v, %v", text, got, want, ok)
			}
		}
	})
}

func TestFormat(t *testing.T) {
	both(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(2, 2))
		for i := range rounds {
			g := nearly(r, complete(r), i%8, 11)
			var want, got Grid
			ok := plainFormat(&want, &g)
			if Format(&got, &g) != ok || ok && got != want {
				t.Fatalf("Format(%v) = %q, want %q, %v", g, got, want, ok)
			}
		}
	})
}

func TestKeeps(t *testing.T) {
	both(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 3))
		for i := range rounds {
			g := complete(r)
			puzzle := nearly(r, g, i%4, 256)
			for range r.IntN(81) {
				puzzle[r.IntN(81)] = 0
			}
			if got, want := Keeps(&g, &puzzle), plainKeeps(&g, &puzzle); got != want {
				t.Fatalf("Keeps(%v, %v) = %v, want %v", g, puzzle, got, want)
			}
		}
	})
}

func TestComplete(t *testing.T) {
	both(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(4, 4))
		for i := range rounds {
			g := nearly(r, complete(r), i%4, []int{10, 16, 256}[i%3])
			if got, want := Complete(&g), plainComplete(&g); got != want {
				t.Fatalf("Complete(%v) = %v, want %v", g, got, want)
			}
		}
	})
}

// Each house is looked at: two digits exchanged that leave the others as they are.
func TestCompleteLooksAtEachHouse(t *testing.T) {
	both(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 5))
		for range 20 {
			g := complete(r)
			for i := range g {
				for j := range i {
					h := g
					h[i], h[j] = h[j], h[i]
					if got, want := Complete(&h), h == g; got != want {
						t.Fatalf("Complete(%v) = %v, cells %d and %d are exchanged", h, got, i, j)
					}
				}
				for d := range 256 {
					h := g
					h[i] = uint8(d)
					if got, want := Complete(&h), h == g; got != want {
						t.Fatalf("Complete(%v) = %v, cell %d is changed", h, got, i)
					}
				}
			}
		}
	})
}

// A function reads and writes the 81 bytes alone.
func TestBounds(t *testing.T) {
	both(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(6, 6))
		var around [3]Grid
		g := complete(r)
		for _, f := range []func(to, from *Grid) bool{Format, Parse} {
			clear(around[:])
			f(&around[1], &g)
			if around[0] != (Grid{}) || around[2] != (Grid{}) {
				t.Errorf("bytes beside the grid are written: %v", around)
			}
			g = around[1]
		}
	})
}
