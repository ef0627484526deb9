package solver_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"sudoku/solver"
)

// eachEngine runs a test with every engine that this CPU has.
func eachEngine(t *testing.T, test func(t *testing.T)) {
	for _, e := range []solver.Engine{solver.AVX512, solver.AVX2, solver.Scalar} {
		if solver.UseEngine(e) != nil {
			continue
		}
		t.Run(e.String(), test)
	}
	if err := solver.UseEngine(solver.Auto); err != nil {
		t.Fatal(err)
	}
}

func TestParseEngine(t *testing.T) {
	for _, e := range []solver.Engine{solver.Auto, solver.AVX512, solver.AVX2, solver.Scalar} {
		if got, err := solver.ParseEngine(e.String()); got != e || err != nil {
			t.Errorf("ParseEngine(%q) = %v, %v, want %v", e, got, err, e)
		}
	}
	for _, name := range []string{"", "AVX2", "lanes"} {
		if got, err := solver.ParseEngine(name); got != solver.Auto || err == nil {
			t.Errorf("ParseEngine(%q) = %v, %v, want auto and an error", name, got, err)
		}
	}
}

// mixture returns puzzles with one solution, several, none and against the rules.
func mixture(seed uint64, n int) []solver.Grid {
	r := newRandom(seed)
	solutions := make([]solver.Grid, 100)
	for i := range solutions {
		solutions[i] = r.solution()
	}
	puzzles := make([]solver.Grid, n)
	for i := range puzzles {
		g := r.puzzle(r.relabel(solutions[r.IntN(len(solutions))]), 22+r.IntN(20))
		switch r.IntN(4) {
		case 0:
			g = r.slip(g)
		case 1:
			g = r.fault(g)
		}
		puzzles[i] = g
	}
	return puzzles
}

// relabel returns g with the digits exchanged at random.
func (r random) relabel(g solver.Grid) solver.Grid {
	p := r.Perm(9)
	for i, d := range g {
		if d != 0 {
			g[i] = uint8(p[d-1] + 1)
		}
	}
	return g
}

// fault returns g with a digit more that it breaks no rule, and perhaps no solution.
func (r random) fault(g solver.Grid) solver.Grid {
	for {
		h := g
		if i := r.IntN(81); h[i] == 0 {
			if h[i] = uint8(1 + r.IntN(9)); h.Check() == nil {
				return h
			}
		}
	}
}

// plainResults returns n puzzles of all kinds that plain backtracking can finish and
// its answers to them. It fails the test if Count finds other numbers of solutions.
func plainResults(t *testing.T, n int) (puzzles []solver.Grid, want []solver.Result) {
	for _, g := range mixture(2, 3*n) {
		all, ok := plainAll(g, 3, 500)
		if !ok {
			continue
		}
		if len(puzzles) == n {
			return puzzles, want
		}
		puzzles, want = append(puzzles, g), append(want, resultOf(g, all))
		for limit := 1; limit <= 3; limit++ {
			if got, _ := solver.Count(t.Context(), g, limit); got != min(limit, len(all)) {
				t.Fatalf("Count(%v, %d) = %d, want %d", g, limit, got, min(limit, len(all)))
			}
		}
	}
	t.Fatalf("plain backtracking finishes %d puzzles, want %d", len(puzzles), n)
	return nil, nil
}

// TestEnginesAgree compares batches of all sizes on each engine with plain backtracking.
func TestEnginesAgree(t *testing.T) {
	n := 100_000
	if testing.Short() {
		n = 5_000
	}
	puzzles, want := plainResults(t, n)
	var seen [5]int
	for _, r := range want {
		seen[r.Status]++
	}
	t.Logf("puzzles by status: %v", seen)
	for _, s := range []solver.Status{solver.Unique, solver.Multiple, solver.None, solver.Invalid} {
		if seen[s] < n/50 {
			t.Errorf("%d of %d puzzles are %v, too few for a test", seen[s], n, s)
		}
	}
	eachEngine(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 0))
		got := make([]solver.Result, n)
		for i := range got {
			got[i] = solver.Result{Status: solver.Invalid, Solution: solver.Grid{1}} // must be written
		}
		for from := 0; from < n; {
			to := min(n, from+1+r.IntN(1<<r.IntN(13)))
			solver.SolveBatch(t.Context(), got[from:to], puzzles[from:to])
			from = to
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("SolveBatch(%v) = %v, want %v", puzzles[i], got[i], want[i])
			}
		}
	})
}

// TestBatchOfOne solves batches of a single puzzle many times over, so that all lanes
// search the same.
func TestBatchOfOne(t *testing.T) {
	for _, g := range append(mixture(4, 60), solver.Grid{}, solver.Grid{10}, solver.Grid{1, 1}, solver.Grid{255}) {
		want, _ := solver.Solve(t.Context(), g)
		eachEngine(t, func(t *testing.T) {
			for _, n := range []int{0, 1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 97} {
				dst := make([]solver.Result, n)
				solver.SolveBatch(t.Context(), dst, slices.Repeat([]solver.Grid{g}, n))
				for i, got := range dst {
					if got != want {
						t.Fatalf("%d of %d: SolveBatch(%v) = %v, want %v", i, n, g, got, want)
					}
				}
			}
		})
	}
}

// TestBatchCancelled ends the context before and during a batch.
func TestBatchCancelled(t *testing.T) {
	puzzles := slices.Repeat(mixture(5, 1000), 50)
	eachEngine(t, func(t *testing.T) {
		for _, after := range []time.Duration{0, 3 * time.Millisecond} {
			ctx, cancel := context.WithTimeout(t.Context(), after)
			dst := make([]solver.Result, len(puzzles))
			for i := range dst {
				dst[i].Status = solver.Unique
			}
			solver.SolveBatch(ctx, dst, puzzles)
			cancel()
			late := 0
			for i, r := range dst {
				if err := r.Err(puzzles[i]); errors.Is(err, solver.ErrTimeout) {
					late++
					if r != (solver.Result{}) {
						t.Fatalf("SolveBatch(%v) = %v, want no solution", puzzles[i], r)
					}
				} else if r.Status == solver.Unique && !r.Solution.Solves(puzzles[i]) {
					t.Fatalf("SolveBatch(%v) = %v, want a solution", puzzles[i], r)
				}
			}
			if late == 0 {
				t.Errorf("SolveBatch answered all %d puzzles within %v, want timeouts", len(dst), after)
			}
		}
	})
}

func TestBatchTimeout(t *testing.T) {
	hard := slices.Repeat([]solver.Grid{{}}, 10)
	hard = append(hard, mixture(6, 100)...)
	eachEngine(t, func(t *testing.T) {
		dst := make([]solver.Result, len(hard))
		solver.Batch{Timeout: time.Minute}.Solve(t.Context(), dst, hard)
		for i, g := range hard {
			if want, _ := solver.Solve(t.Context(), g); dst[i] != want {
				t.Errorf("Solve(%v) = %v, want %v", g, dst[i], want)
			}
		}
		solver.Batch{Timeout: 1}.Solve(t.Context(), dst, hard)
		for i, g := range hard {
			want, _ := solver.Solve(t.Context(), g)
			if dst[i] != want && dst[i] != (solver.Result{}) {
				t.Errorf("Solve(%v) within a nanosecond = %v, want %v or a timeout", g, dst[i], want)
			}
		}
	})
}

func FuzzSolveBatch(f *testing.F) {
	f.Add(uint64(1), uint16(40), uint8(30))
	f.Fuzz(func(t *testing.T, seed uint64, n uint16, clues uint8) {
		r := newRandom(seed)
		s := r.solution()
		puzzles := make([]solver.Grid, n%300)
		for i := range puzzles {
			puzzles[i] = r.puzzle(r.relabel(s), int(clues%60)+20)
			for range r.IntN(3) {
				puzzles[i][r.IntN(81)] = uint8(r.IntN(11))
			}
		}
		eachEngine(t, func(t *testing.T) {
			dst := make([]solver.Result, len(puzzles))
			solver.SolveBatch(t.Context(), dst, puzzles)
			for i, g := range puzzles {
				if want, _ := solver.Solve(t.Context(), g); dst[i] != want {
					t.Errorf("SolveBatch(%v) = %v, want %v", g, dst[i], want)
				}
			}
		})
	})
}
