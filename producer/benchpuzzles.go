package main

import (
	"math/rand/v2"

	"sudoku/solver"
)

// seeds are ordinary puzzles with one solution each: one for beginners, and one
// with as few clues as there can be.
var seeds = []string{
	"003020600900305001001806400008102900700000008006708200002609500800203009005010300", // grid 01 of https://projecteuler.net/problem=96
	"000000010400000000020000000000050407008000300001090000300400200050100000000806000", // the first of Gordon Royle's list of 17 clues
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
