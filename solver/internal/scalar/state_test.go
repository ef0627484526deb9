package scalar

import (
	"math/rand/v2"
	"testing"
)

// meet reports whether two cells share a row, a column or a box.
func meet(i, k int) bool {
	return i/9 == k/9 || i%9 == k%9 || i/27 == k/27 && i%9/3 == k%9/3
}

func (s *set) has(i int) bool { return s[i%3]>>(i/3)&1 != 0 }

func TestTables(t *testing.T) {
	for i := range 81 {
		for k := range 81 {
			if got, want := peers[i].has(k), i != k && meet(i, k); got != want {
				t.Errorf("peers[%d] has %d: %t, want %t", i, k, got, want)
			}
		}
	}
	for h := range houses {
		if n := houses[h].size(); n != 9 {
			t.Errorf("houses[%d] has %d cells, want 9", h, n)
		}
		for i := range 81 {
			if houses[h].has(i) && peers[i].common(&houses[h]) != 8 {
				t.Errorf("houses[%d] has cell %d and not 8 of its peers", h, i)
			}
		}
	}
}

// solution returns a complete grid: one pattern, its rows, columns and digits in
// another order.
func solution(r *rand.Rand) (g Grid) {
	rows, columns, digits := lines(r), lines(r), r.Perm(9)
	for i := range g {
		row, column := rows[i/9], columns[i%9]
		g[i] = uint8(digits[(3*row+row/3+column)%9] + 1)
	}
	return g
}

// lines returns an order of rows or columns that keeps bands together.
func lines(r *rand.Rand) (lines []int) {
	for _, band := range r.Perm(3) {
		for _, k := range r.Perm(3) {
			lines = append(lines, 3*band+k)
		}
	}
	return lines
}

// Propagation never takes a candidate that is part of a solution.
func TestPropagateKeepsSolutions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	solved := 0
	for range 2000 {
		want := solution(r)
		var g Grid
		for _, i := range r.Perm(81)[:15+r.IntN(30)] {
			g[i] = want[i]
		}
		var s state
		var twos set
		if !s.load(&g) || !s.propagate(&twos) {
			t.Fatalf("propagate(%v) = false, want true", g)
		}
		for i, d := range want {
			if s.digits(uint8(i))>>(d-1)&1 == 0 {
				t.Errorf("propagate(%v) takes the %d from cell %d", g, d, i)
			}
		}
		if s.open.empty() {
			solved++
			var got Grid
			if s.write(&got); got != want {
				t.Errorf("propagate(%v) and write = %v, want %v", g, got, want)
			}
		}
	}
	if solved < 100 || solved > 1900 {
		t.Errorf("propagate solves %d of 2000 grids, want some and not all", solved)
	}
}

// Clues that contradict each other need no search.
func TestPropagateFindsConflicts(t *testing.T) {
	for i := range 81 {
		for k := range i {
			for d := range uint8(9) {
				var g Grid
				g[i], g[k] = d+1, d+1
				var s state
				var twos set
				if got, want := s.load(&g) && s.propagate(&twos), !meet(i, k); got != want {
					t.Errorf("propagate with a %d in the cells %d and %d = %t, want %t", d+1, k, i, got, want)
				}
			}
		}
	}
}

func TestLoadRefusesOtherNumbers(t *testing.T) {
	for d := 10; d < 256; d++ {
		for _, i := range []int{0, 40, 80} {
			var g Grid
			g[i] = uint8(d)
			if (&state{}).load(&g) {
				t.Errorf("load with a %d in cell %d = true, want false", d, i)
			}
		}
	}
}
