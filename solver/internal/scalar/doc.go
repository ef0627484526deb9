// Package scalar is the engine that searches one puzzle at a time: bitboards,
// exact locked candidates, singles, and guesses at the cell that decides most.
// Start with [Get]:
//
//	e := scalar.Get(ctx)
//	defer e.Put()
//	n, done := e.Solve(&grid, &solution)
//
// # Representation
//
// Three cells in a row of a box are a mini-row. There are 27, in row-major order:
// mini-row 3r+k is in row r and stack k, and has the cells 9r+3k+j for j = 0, 1, 2.
// A set of cells is three words of 27 bits. Word j has the cells that are the j-th
// of their mini-row; cell i is bit i/3 of word i%3:
//
//	          stack 0    stack 1    stack 2         word 0     word 1     word 2
//	row 0     0  1  2    3  4  5    6  7  8         0  1  2    0  1  2    0  1  2
//	row 1     9 10 11   12 13 14   15 16 17         3  4  5    3  4  5    3  4  5
//	row 2    18 19 20   21 22 23   24 25 26         6  7  8    6  7  8    6  7  8
//	          …   cells                              …   bits
//
// The OR of the three words has the mini-rows that are occupied, nine bits for
// each band of three rows. In a word, three bits that are 3 apart in the same band
// are a column of a box.
//
// Each digit has such a set: the cells where it can still stand, its candidates.
//
// # Propagation
//
// In a band a digit stands once in each row and in each box, that is, in three
// mini-rows with no row and no stack in common: one of six permutations. A
// candidate in a mini-row that is on none of the permutations still possible goes
// out. This finds all that pointing and claiming find in rows, and a table does it
// in one step. The same holds for columns, with bands and stacks exchanged. Once
// nothing more goes out, a digit with one place left in a row, a column or a box
// has one place in all three. Words for bands with locked candidates by table go
// back to Brian Turner's bb_sudoku (2009); Tom Dillon compares what has come of it on
// https://t-dillon.github.io/tdoku.
//
// What remains are naked singles, the cells with one candidate. Adding up the
// digits' words bit by bit finds them for all cells at once.
//
// # Search
//
// The fast search guesses where most follows from it and finds solutions in no
// useful order. The ordered search tries the first open cell in row-major order
// with its smallest candidate first. So it finds the solutions in lexicographic
// order, but it can spend ages in a branch that has none. Therefore, when it has
// gone a while without a solution, it has the fast search look into each branch
// before it enters. From then on no branch is in vain, and the next solution comes
// after at most one fast search for each candidate of each cell.
package scalar
