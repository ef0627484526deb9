package solver_test

import (
	"context"
	"iter"
	"slices"
	"testing"

	"sudoku/solver"
	"sudoku/solver/internal/plain"
)

// TestPlainAgrees compares every search with plain backtracking, on random grids
// that it can finish.
func TestPlainAgrees(t *testing.T) {
	const grids, limit = 10_000, 30
	r := newRandom(1)
	var seen [5]int
	for n := 0; n < grids; {
		g := r.puzzle(r.solution(), 24+r.IntN(24))
		if n%4 == 0 {
			g = r.slip(g)
		}
		want, ok := plainAll(g, limit)
		if !ok {
			continue
		}
		n++
		seen[status(g, len(want))]++
		compare(t, g, want, limit)
	}
	for _, s := range []solver.Status{solver.Unique, solver.Multiple, solver.None, solver.Invalid} {
		if seen[s] < grids/50 {
			t.Errorf("%d of %d grids are %v, too few for a test", seen[s], grids, s)
		}
	}
	t.Logf("grids by status: %v", seen)
}

// plainAll returns the solutions of g in order, as many as limit, if that takes
// plain backtracking few steps.
func plainAll(g solver.Grid, limit int) (all []solver.Grid, ok bool) {
	if g.Check() != nil {
		return nil, true
	}
	ok = plain.All(g, 3000, func(s [81]uint8) bool {
		all = append(all, s)
		return len(all) < limit
	})
	return all, ok
}

// status is the verdict on g if it has n solutions.
func status(g solver.Grid, n int) solver.Status {
	switch {
	case g.Check() != nil:
		return solver.Invalid
	case n == 0:
		return solver.None
	case n == 1:
		return solver.Unique
	default:
		return solver.Multiple
	}
}

// compare fails the test if a search of g does not find want, its solutions up
// to limit in order.
func compare(t *testing.T, g solver.Grid, want []solver.Grid, limit int) {
	t.Helper()
	ctx := context.Background()
	result := solver.Result{Status: status(g, len(want))}
	if len(want) > 0 {
		result.Solution = want[0]
	}
	if r, err := solver.Solve(ctx, g); r != result || (err == nil) != (len(want) > 0) {
		t.Errorf("Solve(%v) = %v, %v, want %v", g, r, err, result)
	}
	if n, err := solver.Count(ctx, g, limit); n != len(want) {
		t.Errorf("Count(%v, %d) = %d, %v, want %d", g, limit, n, err, len(want))
	}
	if all := first(solver.All(ctx, g), limit); !slices.Equal(all, want) {
		t.Errorf("All(%v) = %v, want %v", g, all, want)
	}
}

// first collects the first solutions of seq, up to limit.
func first(seq iter.Seq[solver.Grid], limit int) (all []solver.Grid) {
	for s := range seq {
		if all = append(all, s); len(all) == limit {
			break
		}
	}
	return all
}
