package solver_test

import (
	"slices"
	"testing"

	"sudoku/solver"
)

func TestWork(t *testing.T) {
	const (
		singles = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
		two     = "534..8912672195348198342567859..1423426853791713924856961537284287419635345286179"
	)
	batch := func(n int) func(solver.Grid) {
		return func(g solver.Grid) {
			solver.SolveBatch(t.Context(), make([]solver.Result, n), slices.Repeat([]solver.Grid{g}, n))
		}
	}
	for _, c := range []struct {
		name, puzzle string
		search       func(g solver.Grid)
		want         solver.Work
	}{
		{"Solve by deduction alone", singles, func(g solver.Grid) { solver.Solve(t.Context(), g) }, solver.Work{Searches: 1}},
		{"Count two solutions", two, func(g solver.Grid) { solver.Count(t.Context(), g, 10) }, solver.Work{Searches: 1, Guesses: 1}},
		{"All of two", two, func(g solver.Grid) {
			for range solver.All(t.Context(), g) {
			}
		}, solver.Work{Searches: 1, Guesses: 1}},
		{"Solve one of two", two, func(g solver.Grid) { solver.Solve(t.Context(), g) }, solver.Work{Searches: 1, Guesses: 2}}, // counts them, then finds the smallest
		{"SolveBatch of few", two, batch(3), solver.Work{Searches: 3, Guesses: 6}},
		{"SolveBatch", singles, batch(100), solver.Work{Searches: 100}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := parse(t, c.puzzle)
			before := solver.Auto.Work()
			c.search(g)
			got := solver.Auto.Work()
			got.Searches -= before.Searches
			got.Guesses -= before.Guesses
			if got != c.want {
				t.Errorf("work = %+v, want %+v", got, c.want)
			}
		})
	}
}

// A batch is the work of the engine in use.
func TestWorkOfEngines(t *testing.T) {
	src := slices.Repeat([]solver.Grid{parse(t, hard)}, 100)
	defer solver.UseEngine(solver.Auto)
	for _, e := range []solver.Engine{solver.AVX512, solver.AVX2, solver.Scalar} {
		if solver.UseEngine(e) != nil {
			continue
		}
		before := e.Work()
		solver.SolveBatch(t.Context(), make([]solver.Result, len(src)), src)
		after := e.Work()
		if n := after.Searches - before.Searches; n != 100 {
			t.Errorf("%v made %d searches, want 100", e, n)
		}
		if after.Guesses == before.Guesses {
			t.Errorf("%v made no guesses", e)
		}
	}
}

// A search that takes long counts while it goes on.
func TestWorkUnderWay(t *testing.T) {
	before, n := solver.Scalar.Work(), 0
	for range solver.All(t.Context(), solver.Grid{}) {
		if w := solver.Scalar.Work(); w.Guesses > before.Guesses {
			return
		}
		if n++; n == 1000 {
			t.Fatalf("%d solutions found, and no guess counted", n)
		}
	}
}
