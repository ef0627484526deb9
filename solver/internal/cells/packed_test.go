package cells

import (
	"encoding/hex"
	"math/rand/v2"
	"testing"

	"sudoku/solver/internal/lanes"
)

// puzzle returns a complete grid, and the same with some cells emptied.
func puzzle(r *rand.Rand) (puzzle, solution Grid) {
	solution = complete(r)
	puzzle = solution
	for range r.IntN(120) {
		puzzle[r.IntN(81)] = 0
	}
	return puzzle, solution
}

// In hexadecimal a packed grid is 0 and its cells.
func TestPack(t *testing.T) {
	both(t, func(t *testing.T) { testPack(t, rand.New(rand.NewPCG(7, 7))) })
}

func testPack(t *testing.T, r *rand.Rand) {
	for range rounds {
		g, _ := puzzle(r)
		var p Packed
		if !Pack(&p, &g) {
			t.Fatalf("Pack(%v) = false", g)
		}
		var digits Grid
		for i, d := range g {
			digits[i] = '0' + d
		}
		if got, want := hex.EncodeToString(p[:]), "0"+string(digits[:]); got != want {
			t.Fatalf("Pack(%v) = %s, want %s", g, got, want)
		}
		p[0] |= byte(r.IntN(16)) << 4
		var got Grid
		if !Unpack(&got, &p) || got != g {
			t.Fatalf("Unpack(%x) = %v, want %v", p, got, g)
		}
	}
}

func TestPackRefuses(t *testing.T) {
	both(t, func(t *testing.T) { testPackRefuses(t, rand.New(rand.NewPCG(8, 8))) })
}

func testPackRefuses(t *testing.T, r *rand.Rand) {
	for i := range 81 {
		for d := range 256 {
			g, _ := puzzle(r)
			g[i] = uint8(d)
			var p Packed
			if ok := Pack(&p, &g); ok != (d <= 9) {
				t.Errorf("Pack(%v) = %v with %d in cell %d", g, ok, d, i)
			}
			var got Grid
			if d > 15 {
				continue
			}
			if ok := Unpack(&got, &p); ok != (d <= 9) || ok && got != g {
				t.Errorf("Unpack(%x) = %v, %v with %d in cell %d", p, got, ok, d, i)
			}
		}
	}
}

func TestClues(t *testing.T) {
	both(t, func(t *testing.T) { testClues(t, rand.New(rand.NewPCG(9, 9))) })
}

func testClues(t *testing.T, r *rand.Rand) {
	for range rounds {
		puzzle, solution := puzzle(r)
		var c Clues
		FindClues(&c, &puzzle)
		for i, d := range puzzle {
			if got := c[i/7]>>(i%7)&1 == 1; got != (d != 0) || c[i/7] < 0x80 {
				t.Fatalf("FindClues(%v) = %x, which is wrong for cell %d", puzzle, c, i)
			}
		}
		var got Grid
		Clear(&got, &solution, &c)
		if got != puzzle {
			t.Fatalf("Clear(%v, %x) = %v, want %v", solution, c, got, puzzle)
		}
	}
}

// What is packed is written within its bounds.
func TestPackedBounds(t *testing.T) {
	both(t, func(t *testing.T) { testPackedBounds(t, rand.New(rand.NewPCG(11, 11))) })
}

func testPackedBounds(t *testing.T, r *rand.Rand) {
	p, s := puzzle(r)
	var grids [3]Grid
	var packed [3]Packed
	var clues [3]Clues
	Pack(&packed[1], &s)
	Unpack(&grids[1], &packed[1])
	FindClues(&clues[1], &p)
	Clear(&grids[1], &s, &clues[1])
	for i := 0; i < 3; i += 2 {
		if grids[i] != (Grid{}) || packed[i] != (Packed{}) || clues[i] != (Clues{}) {
			t.Errorf("bytes beside are written: %v, %x, %x", grids, packed, clues)
		}
	}
}

func BenchmarkPacked(b *testing.B) {
	p, s := puzzle(rand.New(rand.NewPCG(10, 10)))
	var packed Packed
	var c Clues
	for _, f := range []struct {
		name string
		run  func()
	}{
		{"Pack", func() { Pack(&packed, &s) }},
		{"Unpack", func() { Unpack(&s, &packed) }},
		{"FindClues", func() { FindClues(&c, &p) }},
		{"Clear", func() { Clear(&p, &s, &c) }},
	} {
		b.Run(f.name, func(b *testing.B) {
			defer UseVectors(false)
			b.Run("words", func(b *testing.B) {
				for b.Loop() {
					f.run()
				}
			})
			if lanes.AVX2.Available() {
				UseVectors(true)
				b.Run("vectors", func(b *testing.B) {
					for b.Loop() {
						f.run()
					}
				})
			}
		})
	}
}
