package solver_test

import (
	"bytes"
	"context"
	"testing"

	"pgregory.net/rapid"

	"sudoku/solver"
)

// puzzles draws puzzles with a solution, from 18 clues on; with few clues they
// have thousands.
var puzzles = rapid.Custom(func(t *rapid.T) solver.Grid {
	r := newRandom(rapid.Uint64().Draw(t, "seed"))
	return r.puzzle(r.solution(), rapid.IntRange(18, 40).Draw(t, "clues"))
})

// order draws a permutation of three.
var order = rapid.Permutation([]int{0, 1, 2})

// lines draws an order of the rows, or columns, that keeps bands together.
var lines = rapid.Custom(func(t *rapid.T) (lines []int) {
	for _, band := range order.Draw(t, "bands") {
		for _, k := range order.Draw(t, "lines of a band") {
			lines = append(lines, 3*band+k)
		}
	}
	return lines
})

func TestSymmetriesKeepTheCount(t *testing.T) {
	const limit = 500
	rapid.Check(t, func(t *rapid.T) {
		g := puzzles.Draw(t, "puzzle")
		rows, columns := lines.Draw(t, "rows"), lines.Draw(t, "columns")
		digits := append([]uint8{0}, rapid.Permutation([]uint8{1, 2, 3, 4, 5, 6, 7, 8, 9}).Draw(t, "digits")...)
		transposed := rapid.Bool().Draw(t, "transposed")
		var h solver.Grid
		for i, d := range g {
			r, c := rows[i/9], columns[i%9]
			if transposed {
				r, c = c, r
			}
			h[9*r+c] = digits[d]
		}
		m, err := solver.Count(context.Background(), g, limit)
		if n, err2 := solver.Count(context.Background(), h, limit); n != m || err != nil || err2 != nil {
			t.Errorf("Count(%v) = %d, %v, want %d, %v as for %v", h, n, err2, m, err, g)
		}
	})
}

func TestAllIsInOrder(t *testing.T) {
	const limit = 500
	rapid.Check(t, func(t *rapid.T) {
		g := puzzles.Draw(t, "puzzle")
		all := first(limit, solver.All(context.Background(), g))
		for i, s := range all {
			if !s.Solves(g) {
				t.Fatalf("All(%v) yields %v, no solution", g, s)
			}
			if i > 0 && bytes.Compare(all[i-1][:], s[:]) >= 0 {
				t.Fatalf("All(%v) yields %v after %v", g, s, all[i-1])
			}
		}
		if n, err := solver.Count(context.Background(), g, limit); n != len(all) || err != nil {
			t.Errorf("Count(%v) = %d, %v, want %d", g, n, err, len(all))
		}
		if r, err := solver.Solve(context.Background(), g); err != nil || r.Solution != all[0] {
			t.Errorf("Solve(%v) = %v, %v, want %v", g, r, err, all[0])
		}
	})
}
