package solver_test

import (
	"iter"
	"slices"
	"testing"

	"sudoku/solver"
	"sudoku/solver/internal/plain"
)

// TestPlainAgrees compares every search with plain backtracking, on random grids
// that it can finish.
func TestPlainAgrees(t *testing.T) {
	const grids, limit = 10_000, 20
	r := newRandom(1)
	var solution solver.Grid
	var seen [5]int
	for n := 0; n < grids; {
		if n%100 == 0 {
			solution = r.solution()
		}
		g := r.puzzle(solution, 26+r.IntN(22))
		if r.IntN(8) == 0 {
			g = r.slip(g)
		}
		want, ok := plainAll(g, limit, 500)
		if !ok {
			continue
		}
		n++
		seen[status(g, want)]++
		compare(t, g, want, limit)
	}
	for _, s := range []solver.Status{solver.Unique, solver.Multiple, solver.None, solver.Invalid} {
		if seen[s] < grids/100 {
			t.Errorf("%d of %d grids are %v, too few for a test", seen[s], grids, s)
		}
	}
}

// plainAll returns the solutions of g in order, as many as limit, if plain
// backtracking takes no more steps.
func plainAll(g solver.Grid, limit, steps int) (all []solver.Grid, ok bool) {
	if g.Check() != nil {
		return nil, true
	}
	ok = plain.All(g, steps, func(s [81]uint8) bool {
		all = append(all, s)
		return len(all) < limit
	})
	return all, ok
}

// status is the verdict on g if these are its solutions.
func status(g solver.Grid, solutions []solver.Grid) solver.Status {
	switch {
	case g.Check() != nil:
		return solver.Invalid
	case len(solutions) == 0:
		return solver.None
	case len(solutions) == 1:
		return solver.Unique
	default:
		return solver.Multiple
	}
}

// resultOf is the answer to g if these are its solutions.
func resultOf(g solver.Grid, solutions []solver.Grid) solver.Result {
	r := solver.Result{Status: status(g, solutions)}
	if len(solutions) > 0 {
		r.Solution = solutions[0]
	}
	return r
}

// compare fails the test if a search of g does not find want, its solutions up
// to limit in order.
func compare(t *testing.T, g solver.Grid, want []solver.Grid, limit int) {
	t.Helper()
	result := resultOf(g, want)
	if r, err := solver.Solve(t.Context(), g); r != result || (err == nil) != (len(want) > 0) {
		t.Errorf("Solve(%v) = %v, %v, want %v", g, r, err, result)
	}
	if n, err := solver.Count(t.Context(), g, limit); n != len(want) || (err == nil) == (result.Status == solver.Invalid) {
		t.Errorf("Count(%v, %d) = %d, %v, want %d", g, limit, n, err, len(want))
	}
	if all := first(limit, solver.All(t.Context(), g)); !slices.Equal(all, want) {
		t.Errorf("All(%v) = %v, want %v", g, all, want)
	}
}

// first collects the first n of seq.
func first(n int, seq iter.Seq[solver.Grid]) (all []solver.Grid) {
	for g := range seq {
		if all = append(all, g); len(all) == n {
			break
		}
	}
	return all
}
