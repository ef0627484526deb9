// Package plain solves Sudoku by backtracking and nothing else. It is the
// method in its shortest form, for those who want to read it before the fast
// engine, and the oracle that the tests measure the fast engine against.
//
// Take the empty cells in row-major order, try the digits 1 to 9 in each, and
// go back when none fits:
//
//	5 3 a | b 7 . | . . .    a: 1 fits, go on to b; if b and what follows
//	6 . . | 1 9 5 | . . .       come to nothing, come back and try 2, then 4;
//	. 9 8 | . . . | . 6 .       if they do too, go back further
//
// Because cells and digits are tried in this order, the solutions come in
// lexicographic order, each once. The time is exponential: some puzzles with
// 17 clues take minutes.
package plain

// Grid is a grid in row-major order, 0 where a cell is empty.
type Grid = [81]uint8

// All calls found with every solution of g in lexicographic order until found
// returns false. The clues of g must not contradict each other. It makes at
// most steps visits to empty cells, and reports whether that was enough.
func All(g Grid, steps int, found func(Grid) bool) bool {
	s := search{grid: g, steps: steps, found: found}
	s.from(0)
	return s.steps >= 0
}

type search struct {
	grid  Grid
	steps int // visits left
	found func(Grid) bool
}

// from fills the cells from cell on, and reports whether to go on searching.
func (s *search) from(cell int) bool {
	for cell < 81 && s.grid[cell] != 0 {
		cell++
	}
	if cell == 81 {
		return s.found(s.grid)
	}
	if s.steps--; s.steps < 0 {
		return false
	}
	for d := uint8(1); d <= 9; d++ {
		if s.fits(cell, d) {
			s.grid[cell] = d
			if !s.from(cell + 1) {
				return false
			}
		}
	}
	s.grid[cell] = 0
	return true
}

// fits reports whether no cell in the row, column or box of cell holds d.
func (s *search) fits(cell int, d uint8) bool {
	r, c := cell/9, cell%9
	for k := range 9 {
		if s.grid[9*r+k] == d || s.grid[9*k+c] == d || s.grid[9*(r/3*3+k/3)+c/3*3+k%3] == d {
			return false
		}
	}
	return true
}
