package solver_test

import (
	"math/rand/v2"

	"sudoku/solver"
	"sudoku/solver/internal/plain"
)

// random makes grids from a seed, the same ones in each run.
type random struct{ *rand.Rand }

func newRandom(seed uint64) random { return random{rand.New(rand.NewPCG(seed, 0))} }

// solution returns a complete grid: the three boxes on the diagonal at random,
// the rest as plain backtracking finds it.
func (r random) solution() (s solver.Grid) {
	for s == (solver.Grid{}) {
		var g solver.Grid
		for box := range 3 {
			for k, d := range r.Perm(9) {
				g[30*box+9*(k/3)+k%3] = uint8(d + 1)
			}
		}
		plain.All(g, 10_000, func(first [81]uint8) bool { s = first; return false })
	}
	return s
}

// puzzle returns a part of solution with the given number of clues.
func (r random) puzzle(solution solver.Grid, clues int) (g solver.Grid) {
	for _, i := range r.Perm(81)[:clues] {
		g[i] = solution[i]
	}
	return g
}

// slip returns g with one clue changed into another digit, as happens when
// people copy a puzzle.
func (r random) slip(g solver.Grid) solver.Grid {
	for {
		if i := r.IntN(81); g[i] != 0 {
			g[i] = 1 + (g[i]+uint8(r.IntN(8)))%9
			return g
		}
	}
}
