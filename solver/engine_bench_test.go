package solver_test

import (
	"fmt"
	"testing"

	"sudoku/solver"
)

// BenchmarkEngines measures the engines side by side on one CPU, in batches of 8192, on
// puzzles of all kinds made here and some hard ones, or else those of a directory:
//
//	go test ./solver -run '^$' -bench Engines -cpu 1 [-sets DIR]
//
// Plain backtracking gets eight puzzles of each set and gives up after 100,000 steps,
// so it would be slower than it looks.
func BenchmarkEngines(b *testing.B) {
	for _, set := range engineSets(b) {
		src := repeat(set.puzzles, 8192)
		dst := make([]solver.Result, len(src))
		for _, e := range []solver.Engine{solver.AVX512, solver.AVX2, solver.Scalar} {
			if solver.UseEngine(e) == nil {
				b.Run(set.name+"/"+e.String(), func(b *testing.B) {
					benchmark(b, len(src), func(int) { solver.SolveBatch(b.Context(), dst, src) })
				})
			}
		}
		b.Run(set.name+"/plain", func(b *testing.B) {
			benchmark(b, 1, func(i int) { plainCount(src[i%8], 100_000) })
		})
	}
	if err := solver.UseEngine(solver.Auto); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkBatchSize measures calls with few puzzles and many.
func BenchmarkBatchSize(b *testing.B) {
	src := repeat(made(b, 256), 1024)
	dst := make([]solver.Result, len(src))
	for n := 1; n <= len(src); n *= 2 {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			benchmark(b, n, func(i int) {
				i = i * n % len(src)
				solver.SolveBatch(b.Context(), dst[:n], src[i:i+n])
			})
		})
	}
}

// repeat returns n puzzles, those given over and over.
func repeat(puzzles []solver.Grid, n int) []solver.Grid {
	all := make([]solver.Grid, n)
	for i := range all {
		all[i] = puzzles[i%len(puzzles)]
	}
	return all
}

func engineSets(b *testing.B) []set {
	if *setsDir != "" {
		return sets(b)
	}
	minimal := set{"minimal", made(b, 256)}
	easy, multiple, none := set{name: "easy"}, set{name: "multiple"}, set{name: "none"}
	r := newRandom(7)
	for _, g := range minimal.puzzles {
		solved, _ := solver.Solve(b.Context(), g)
		easy.puzzles = append(easy.puzzles, r.add(g, solved.Solution, 10))
		multiple.puzzles = append(multiple.puzzles, r.remove(g))
		for len(none.puzzles) < len(easy.puzzles) {
			if g := r.fault(g); isNone(b, g) {
				none.puzzles = append(none.puzzles, g)
			}
		}
	}
	return []set{easy, minimal, multiple, none,
		{"ImamBayildi", []solver.Grid{parse(b, hard)}},
		{"ImamBayildiSlip", []solver.Grid{parse(b, hardNone)}},
	}
}

func isNone(b *testing.B, g solver.Grid) bool {
	_, err := solver.Solve(b.Context(), g)
	return err == solver.ErrNone
}

// add returns g with n clues more of its solution s.
func (r random) add(g, s solver.Grid, n int) solver.Grid {
	for _, i := range r.Perm(81) {
		if g[i] == 0 && n > 0 {
			g[i] = s[i]
			n--
		}
	}
	return g
}

// remove returns g with a clue less.
func (r random) remove(g solver.Grid) solver.Grid {
	for _, i := range r.Perm(81) {
		if g[i] != 0 {
			g[i] = 0
			break
		}
	}
	return g
}
