package solver_test

import (
	"context"
	"testing"

	"sudoku/solver"
)

// AllocsPerRun rounds down: an engine that the pool has lost, as it does now and
// then, does not count.
func TestSearchesAllocateNothing(t *testing.T) {
	ctx := context.Background()
	for _, r := range records(t) {
		if n := testing.AllocsPerRun(20, func() { solver.Solve(ctx, r.puzzle) }); n > 0 {
			t.Errorf("Solve(%v) allocates %v times, want 0", r.puzzle, n)
		}
		if n := testing.AllocsPerRun(20, func() { solver.Count(ctx, r.puzzle, 100) }); n > 0 {
			t.Errorf("Count(%v) allocates %v times, want 0", r.puzzle, n)
		}
		if n := testing.AllocsPerRun(20, func() { r.smallest.Solves(r.puzzle) }); n > 0 {
			t.Errorf("Solves(%v) allocates %v times, want 0", r.puzzle, n)
		}
	}
	src := []solver.Grid{parse(t, hard), parse(t, hardNone), {}}
	dst := make([]solver.Result, len(src))
	if n := testing.AllocsPerRun(20, func() { solver.SolveBatch(ctx, dst, src) }); n > 0 {
		t.Errorf("SolveBatch allocates %v times, want 0", n)
	}
}
