package chaos

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"testing"

	"sudoku/producer/client/jobs"
	"sudoku/solver"
)

// A known is a puzzle whose answer is known.
type known struct {
	puzzle   solver.Grid
	status   solver.Status
	solution solver.Grid // zero where there is none
}

// differs says in which way an answer is wrong, or nothing.
func (k known) differs(r solver.Result) string {
	if r.Status == k.status && r.Solution == k.solution {
		return ""
	}
	return fmt.Sprintf("%s: %v %v, want %v %v", k.puzzle, r.Status, r.Solution, k.status, k.solution)
}

// Puzzles with one solution, and that solution.
var originals = []known{
	original("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79", // https://en.wikipedia.org/wiki/Sudoku
		"534678912672195348198342567859761423426853791713924856961537284287419635345286179"),
	original(".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6...", // the first of Gordon Royle's list
		"693784512487512936125963874932651487568247391741398625319475268856129743274836159"),
	original("..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9", // https://en.wikipedia.org/wiki/Sudoku_solving_algorithms
		"987654321246173985351928746128537694634892157795461832519286473472319568863745219"),
}

func original(puzzle, solution string) known {
	return known{parse(puzzle), solver.Unique, parse(solution)}
}

func parse(text string) solver.Grid {
	g, err := solver.Parse(text)
	if err != nil {
		panic(err)
	}
	return g
}

// disguise returns k with its digits, rows, bands, columns and stacks exchanged.
// It still has one solution.
func (k known) disguise(r *rand.Rand) known {
	digits, rows, columns := r.Perm(9), lines(r), lines(r)
	d := known{status: k.status}
	for i := range d.puzzle {
		from := 9*rows[i/9] + columns[i%9]
		d.solution[i] = uint8(digits[k.solution[from]-1] + 1)
		if k.puzzle[from] != 0 {
			d.puzzle[i] = d.solution[i]
		}
	}
	return d
}

// lines returns a permutation of nine lines that keeps those of a band together.
func lines(r *rand.Rand) (order []int) {
	for _, band := range r.Perm(3) {
		for _, line := range r.Perm(3) {
			order = append(order, 3*band+line)
		}
	}
	return order
}

// damage returns a puzzle of any status: a solution with holes, and sometimes
// a digit that does not belong there.
func damage(r *rand.Rand) known {
	g := originals[0].disguise(r).solution
	for _, i := range r.Perm(81)[:48] {
		g[i] = 0
	}
	if i := r.IntN(81); r.IntN(3) == 0 && g[i] == 0 {
		g[i] = uint8(1 + r.IntN(9))
	}
	return search(g)
}

// An exam is a sequence of puzzles, most of them unlike all others, that a seed
// decides.
type exam struct {
	seed    uint64
	n       int
	damaged []known
}

func newExam(seed uint64, n int) exam {
	e := exam{seed: seed, n: n, damaged: make([]known, 500)}
	r := source(seed, "damaged")
	for i := range e.damaged {
		e.damaged[i] = damage(r)
	}
	return e
}

// all yields the puzzles, the same ones each time.
func (e exam) all(yield func(known) bool) {
	r := source(e.seed, "puzzles")
	for range e.n {
		k := e.damaged[r.IntN(len(e.damaged))]
		if r.IntN(4) > 0 {
			k = originals[r.IntN(len(originals))].disguise(r)
		}
		if !yield(k) {
			return
		}
	}
}

// grids yields the puzzles alone.
func (e exam) grids() iter.Seq[solver.Grid] {
	return func(yield func(solver.Grid) bool) {
		for k := range e.all {
			if !yield(k.puzzle) {
				return
			}
		}
	}
}

// lines yields the puzzles as those of a job.
func (e exam) lines(yield func(jobs.Puzzle) bool) {
	for k := range e.all {
		if !yield(jobs.Puzzle{Grid: k.puzzle}) {
			return
		}
	}
}

// search finds the answer to a puzzle by trying digits, cell by cell.
func search(g solver.Grid) known {
	k := known{puzzle: g, status: solver.None}
	var used [27]uint16 // by row, column and box; bit d is 1 where digit d stands
	for i, d := range g {
		if d != 0 && !place(&used, i, d) {
			k.status = solver.Invalid
			return k
		}
	}
	k.try(g, used, 0)
	return k
}

// try fills the cells from cell on, up to the second solution of all.
func (k *known) try(g solver.Grid, used [27]uint16, cell int) {
	for cell < 81 && g[cell] != 0 {
		cell++
	}
	if cell == 81 {
		if k.status == solver.Unique {
			k.status = solver.Multiple
		} else {
			k.status, k.solution = solver.Unique, g
		}
		return
	}
	for d := uint8(1); d <= 9 && k.status != solver.Multiple; d++ {
		if with := used; place(&with, cell, d) {
			g[cell] = d
			k.try(g, with, cell+1)
		}
	}
}

// place enters digit d, and reports whether it has not been in a house of the
// cell before.
func place(used *[27]uint16, cell int, d uint8) (fits bool) {
	fits = true
	for _, house := range [...]int{cell / 9, 9 + cell%9, 18 + cell/27*3 + cell%9/3} {
		fits = fits && used[house]>>d&1 == 0
		used[house] |= 1 << d
	}
	return fits
}

func TestSearch(t *testing.T) {
	tests := []struct {
		name, puzzle, solution string
		status                 solver.Status
	}{
		{"unique", originals[0].puzzle.String(), originals[0].solution.String(), solver.Unique},
		{"multiple", solver.Grid{}.String(), "123456789456789123789123456214365897365897214897214365531642978642978531978531642", solver.Multiple},
		{"none", "53.27....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79", solver.Grid{}.String(), solver.None},
		{"invalid", "5...7...5........................................................................", solver.Grid{}.String(), solver.Invalid},
	}
	for _, tt := range tests {
		if got := search(parse(tt.puzzle)); got.status != tt.status || got.solution.String() != tt.solution {
			t.Errorf("search(%s) = %v %v, want %v %v", tt.puzzle, got.status, got.solution, tt.status, tt.solution)
		}
	}
	for _, k := range originals {
		for i, d := range k.puzzle {
			if d != 0 && d != k.solution[i] {
				t.Errorf("%v is no solution of %v", k.solution, k.puzzle)
			}
		}
		if search(k.solution).status != solver.Unique {
			t.Errorf("%v breaks the rules", k.solution)
		}
	}
}
