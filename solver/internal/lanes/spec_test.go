package lanes

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// What the kernels do, said in plain Go for one lane.

// grid has the candidates of each cell.
type grid [81]uint16

func (g *grid) single(i int) uint16 {
	if bits.OnesCount16(g[i]) == 1 {
		return g[i]
	}
	return 0
}

// houses returns the singles of each row, column and box.
func (g *grid) houses() (rows, columns, boxes [9]uint16) {
	for i := range g {
		rows[i/9] |= g.single(i)
		columns[i%9] |= g.single(i)
		boxes[boxOf(i)] |= g.single(i)
	}
	return rows, columns, boxes
}

// sum adds up the singles of the rows.
func (g *grid) sum() (sum uint16) {
	rows, _, _ := g.houses()
	for _, r := range rows {
		sum += r
	}
	return sum
}

func boxOf(i int) int { return i/27*3 + i%9/3 }

// sweep is a round of deduction, and reports whether every digit had a place.
func (g grid) sweep() (next grid, good bool) {
	rows, columns, boxes := g.houses()
	for i := range g {
		next[i] = g[i]
		if g.single(i) == 0 {
			next[i] &^= rows[i/9] | columns[i%9] | boxes[boxOf(i)]
		}
	}
	var once grid // digits with one place in the row or column of the cell
	inRows := next.lock(&once, cell)
	inColumns := next.lock(&once, transposed)
	next.finish(&once)
	return next, inRows && inColumns
}

// finish goes through the boxes, stack by stack: it takes the singles found in those before
// from their rows and columns, and then what is in once stands alone.
func (g *grid) finish(once *grid) {
	var rows, columns [9]uint16
	for box := range 9 {
		var cells [9]int
		for n := range cells {
			cells[n] = cell(box%3, n/3, box/3, n%3)
		}
		for _, i := range cells {
			g[i] &^= rows[i/9] | columns[i%9]
			if once[i] &= g[i]; once[i] != 0 {
				g[i] = once[i]
			}
		}
		for _, i := range cells {
			rows[i/9] |= g.single(i)
			columns[i%9] |= g.single(i)
		}
	}
}

// cell and transposed return the cell in band b, row r, stack k and column j, and with
// columns for rows.
func cell(b, r, k, j int) int       { return 27*b + 9*r + 3*k + j }
func transposed(b, r, k, j int) int { return cell(k, j, b, r) }

// permutations of three columns.
var permutations = [6][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}

// lock keeps of each digit in each band what is in three lines that make a permutation
// of the boxes, and collects in once the digits with one place in a row.
func (g *grid) lock(once *grid, at func(b, r, k, j int) int) (good bool) {
	good = true
	for b := range 3 {
		for d := uint16(1); d <= 256; d <<= 1 {
			var may [3][3]bool
			some := false
			for _, p := range permutations {
				if g.has(d, at, b, 0, p[0]) > 0 && g.has(d, at, b, 1, p[1]) > 0 && g.has(d, at, b, 2, p[2]) > 0 {
					may[0][p[0]], may[1][p[1]], may[2][p[2]], some = true, true, true, true
				}
			}
			good = good && some
			for r := range 3 {
				places := 0
				for k := range 3 {
					if may[r][k] {
						places += g.has(d, at, b, r, k)
					}
				}
				for k := range 3 {
					for j := range 3 {
						i := at(b, r, k, j)
						if !may[r][k] {
							g[i] &^= d
						}
						if places == 1 && g[i]&d != 0 {
							once[i] |= d
						}
					}
				}
			}
		}
	}
	return good
}

// has returns how many cells of a line can hold d.
func (g *grid) has(d uint16, at func(b, r, k, j int) int, b, r, k int) (n int) {
	for j := range 3 {
		if g[at(b, r, k, j)]&d != 0 {
			n++
		}
	}
	return n
}

// key is what pick finds.
func (g *grid) key() (best uint16) {
	bonus := [10]int{0, 0, 240, 192, 134, 133, 132, 131, 130, 129}
	weight := [10]int{0, 0, 3, 1, 2, 4, 4, 4, 4, 4}
	var rows, columns, boxes [9]int
	for i, x := range g {
		w := weight[bits.OnesCount16(x)]
		rows[i/9] += w
		columns[i%9] += w
		boxes[boxOf(i)] += w
	}
	for i, x := range g {
		score := bonus[bits.OnesCount16(x)] + rows[i/9] + columns[i%9] + boxes[boxOf(i)]
		best = max(best, uint16(score<<7|i))
	}
	return best
}

// eachSet runs a test with the kernels of every set that this CPU has.
func eachSet(t *testing.T, test func(t *testing.T, k *kernels)) {
	for name, s := range map[string]Set{"avx2": AVX2, "avx512": AVX512} {
		if s.Available() {
			t.Run(name, func(t *testing.T) { test(t, s.kernels()) })
		}
	}
	for name, k := range substitutes {
		t.Run(name, func(t *testing.T) { test(t, k) })
	}
}

// substitutes are the kernels for CPUs that have less than this one.
var substitutes = map[string]*kernels{}

// randomGrid returns states of all kinds: dense, sparse, from a solution, broken.
func randomGrid(r *rand.Rand) (g grid) {
	density := r.IntN(10)
	sound := r.IntN(3) > 0
	for i := range g {
		for d := range 9 {
			if r.IntN(10) <= density {
				g[i] |= 1 << d
			}
		}
		if sound {
			g[i] |= 1 << ((i%9 + i/9*3 + i/27) % 9) // a solution
		}
		if r.IntN(12) < 3 {
			g[i] = g[i] & -g[i]
		}
	}
	return g
}

// put sets lane l to g, as pop does.
func (s *state) put(w, l int, g *grid) {
	for i, x := range g {
		s.x[w*i+l] = x
	}
	s.settle(w, l, g)
}

func (s *state) settle(w, l int, g *grid) {
	rows, columns, boxes := g.houses()
	for i := range g {
		s.singles[w*i+l] = g.single(i)
	}
	for h := range 9 {
		s.rows[w*h+l], s.columns[w*h+l], s.boxes[w*h+l] = rows[h], columns[h], boxes[h]
	}
	s.sum[l] = g.sum()
}

// check fails the test unless lane l is g, and what follows from it is up to date.
func (s *state) check(t *testing.T, w, l int, g *grid) {
	t.Helper()
	rows, columns, boxes := g.houses()
	for i := range g {
		if s.x[w*i+l] != g[i] || s.singles[w*i+l] != g.single(i) {
			t.Fatalf("lane %d, cell %d: candidates %09b, single %09b, want %09b, %09b", l, i, s.x[w*i+l], s.singles[w*i+l], g[i], g.single(i))
		}
	}
	for h := range 9 {
		if got, want := [3]uint16{s.rows[w*h+l], s.columns[w*h+l], s.boxes[w*h+l]}, [3]uint16{rows[h], columns[h], boxes[h]}; got != want {
			t.Fatalf("lane %d, house %d: singles of row, column, box %09b, want %09b", l, h, got, want)
		}
	}
}

func TestSweep(t *testing.T) {
	eachSet(t, func(t *testing.T, k *kernels) {
		r := rand.New(rand.NewPCG(1, 0))
		s := new(state)
		for range 60 {
			var grids [maxWidth]grid
			for l := range k.width {
				grids[l] = randomGrid(r)
				s.put(k.width, l, &grids[l])
			}
			for range 8 {
				k.sweep(s)
				for l := range k.width {
					next, good := grids[l].sweep()
					s.check(t, k.width, l, &next)
					s.checkFlags(t, l, &grids[l], &next, good)
					grids[l] = next
				}
			}
		}
	})
}

// checkFlags compares what a sweep from g to next says of lane l.
func (s *state) checkFlags(t *testing.T, l int, g, next *grid, good bool) {
	t.Helper()
	rows, columns, boxes := next.houses()
	solved, empty := true, false
	for h := range 9 {
		solved = solved && rows[h]&columns[h]&boxes[h] == 0x1ff
	}
	for _, x := range next {
		empty = empty || x == 0
	}
	if got := s.solved>>l&1 != 0; got != solved {
		t.Fatalf("lane %d: solved %v, want %v", l, got, solved)
	}
	if got, want := s.bad>>l&1 != 0, !good || empty; got != want {
		t.Fatalf("lane %d: bad %v, want %v", l, got, want)
	}
	if got, want := s.calm>>l&1 != 0, next.sum() == g.sum(); got != want {
		t.Fatalf("lane %d: calm %v, want %v", l, got, want)
	}
}

func TestPick(t *testing.T) {
	eachSet(t, func(t *testing.T, k *kernels) {
		r := rand.New(rand.NewPCG(2, 0))
		s := new(state)
		for range 60 {
			var grids [maxWidth]grid
			for l := range k.width {
				grids[l] = randomGrid(r)
				s.put(k.width, l, &grids[l])
			}
			k.pick(s)
			for l := range k.width {
				if want := grids[l].key(); s.key[l] != want {
					t.Fatalf("lane %d: key %#x, want %#x", l, s.key[l], want)
				}
			}
		}
	})
}

// TestMoves takes random lanes out to columns and others in.
func TestMoves(t *testing.T) {
	eachSet(t, func(t *testing.T, k *kernels) {
		r := rand.New(rand.NewPCG(3, 0))
		s := new(state)
		random := func(g grid, f func(i int, x uint16)) grid {
			for i, x := range g {
				f(i, x)
			}
			return g
		}
		for range 60 {
			column, first := r.IntN(height), r.IntN(2*k.width)
			var grids, nodes, fresh [maxWidth]grid
			for l := range k.width {
				grids[l] = randomGrid(r)
				s.put(k.width, l, &grids[l])
				nodes[l] = random(randomGrid(r), func(i int, x uint16) { s.nodes[i][column+l] = x })
				fresh[l] = random(randomGrid(r), func(i int, x uint16) { s.fresh[i][first+l] = x })
			}
			s.in.lanes, s.next.lanes = 0, 0
			kind := r.IntN(3)
			for l := range k.width {
				from := r.IntN(k.width)
				switch {
				case kind != 0 && r.IntN(2) == 0:
					s.in.index[l] = uint16(from)
					s.in.lanes |= 1 << l
					grids[l] = nodes[from]
				case kind != 1 && r.IntN(2) == 0:
					s.next.index[l] = uint16(from)
					s.next.lanes |= 1 << l
					grids[l] = fresh[from]
				}
			}
			switch kind {
			case 0:
				k.start(s, first)
			case 1:
				k.resume(s, column)
			default:
				k.pop(s, column, first)
			}
			for l := range k.width {
				s.check(t, k.width, l, &grids[l])
			}
			for c, l := range r.Perm(k.width) {
				s.out.index[c] = uint16(l)
			}
			at := r.IntN(k.width)
			k.push(s, column)
			k.emit(s, at)
			for c := range k.width {
				for i, x := range grids[s.out.index[c]] {
					if got := [2]uint16{s.nodes[i][column+c], s.finished[i][at+c]}; got != [2]uint16{x, x} {
						t.Fatalf("column %d, cell %d: %09b, want %09b", c, i, got, x)
					}
				}
			}
		}
	})
}

// TestTranspose feeds digits of all values, and flushes what is single.
func TestTranspose(t *testing.T) {
	eachSet(t, func(t *testing.T, k *kernels) {
		r := rand.New(rand.NewPCG(4, 0))
		s := new(state)
		for n := range 100 {
			var puzzles [maxWidth][81]uint8
			for l := range puzzles {
				for i := range puzzles[l] {
					puzzles[l][i] = uint8(r.IntN(11))
					if r.IntN(20) == 0 {
						puzzles[l][i] = uint8(r.IntN(256))
					}
				}
			}
			block := n % 2 * k.width
			k.feed(s, &puzzles[0], block)
			for l := range k.width {
				for i, d := range puzzles[l] {
					want := [11]uint16{0x1ff, 1, 2, 4, 8, 16, 32, 64, 128, 256, 0}[min(d, 10)]
					if got := [2]uint16{s.fresh[i][block+l], s.fresh[i][block+l+2*k.width]}; got != [2]uint16{want, want} {
						t.Fatalf("digit %d: candidates %09b, want %09b", d, got, want)
					}
				}
			}
			var want [2 * maxWidth][81]uint8
			for c := range 2 * k.width {
				for i := range 81 {
					want[c][i] = uint8(1 + r.IntN(9))
					s.finished[i][c] = 1 << (want[c][i] - 1)
				}
			}
			for c := 0; c < 2*k.width; c += k.width {
				k.flush(s)
				for l := range k.width {
					if s.digits[l] != want[c+l] {
						t.Fatalf("column %d: flushed %d, want %d", c+l, s.digits[l], want[c+l])
					}
				}
			}
		}
	})
}
