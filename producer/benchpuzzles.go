package main

import (
	"math/rand/v2"

	"sudoku/solver"
)

// seeds are puzzles with one solution and 17 clues, fewer than which there cannot
// be.
var seeds = []string{
	"000000010400000000020000000000050407008000300001090000300400200050100000000806000", // the first of Gordon Royle's list
	"000000000000003085001020000000507000004000100090000000500000073002010000000040009", // https://en.wikipedia.org/wiki/Sudoku_solving_algorithms
}

// benchPuzzles returns n puzzles made from the seeds, the same ones every time.
func benchPuzzles(n int) []solver.Grid {
	r := rand.New(rand.NewPCG(1, 2))
	gs := make([]solver.Grid, n)
	for i := range gs {
		g, err := solver.Parse(seeds[i%len(seeds)])
		if err != nil {
			panic(err)
		}
		gs[i] = shuffle(r, g)
	}
	return gs
}

// shuffle returns g with its digits, rows, bands, columns and stacks exchanged,
// which leaves the number of solutions as it is.
func shuffle(r *rand.Rand, g solver.Grid) (s solver.Grid) {
	digits, rows, columns := r.Perm(9), lines(r), lines(r)
	for i := range g {
		if d := g[9*rows[i/9]+columns[i%9]]; d != 0 {
			s[i] = uint8(digits[d-1] + 1)
		}
	}
	return s
}

// lines returns the nine rows in another order, in which bands stay together.
func lines(r *rand.Rand) (order []int) {
	for _, band := range r.Perm(3) {
		for _, line := range r.Perm(3) {
			order = append(order, 3*band+line)
		}
	}
	return order
}
