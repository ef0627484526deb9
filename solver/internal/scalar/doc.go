// Package scalar is the engine for one puzzle at a time: bitboards, exact locked
// candidates, singles, and a search that guesses where it learns most. Start
// with [Get].
//
// # Representation
//
// The grid is three bands of three rows; a band is 27 cells, so a set of cells
// of a band is a 27-bit word. Cell (r, c) with c = 3k+j, that is column j of
// stack k, has bit 9j+3r+k, where r counts inside the band:
//
//	            stack 0       stack 1       stack 2
//	row 0     0   9  18  |  1  10  19  |  2  11  20
//	row 1     3  12  21  |  4  13  22  |  5  14  23
//	row 2     6  15  24  |  7  16  25  |  8  17  26
//
// So a word is three planes of nine bits, one for each column of a stack. A
// plane's bit 3r+k stands for the mini-row of row r in stack k, three cells
// in a row of a box. The OR of the planes says which mini-rows are occupied;
// the OR of bits 3 apart says which columns are.
//
// For each digit and band there is a word: where in the band the digit can
// stand, its candidates.
//
// # Propagation
//
// A digit stands once in each row and in each box of a band, so it takes
// three mini-rows that form a permutation matrix: one in each row, one in each
// stack. There are six. What lies on none of those that the candidates still
// allow goes out, which is all that pointing and claiming in rows can find.
// Columns are the same with bands and stacks exchanged. After both, a digit with
// one place left in a row, a column or a box has one place in all three.
//
// What is left are naked singles: cells with one digit left, found for a whole
// band at once by counting the nine words of its digits in parallel.
//
// # Search
//
// The fast search guesses a cell with two candidates, the one with the most
// of its kind among its peers; failing that a digit with two places in a row or
// box; failing that a cell with the fewest candidates. It finds solutions in no
// useful order. The ordered search takes the first open cell and its smallest
// digit, and so meets them in lexicographic order, but it may spend ages in a
// branch without solutions; when it has seen none for a while it has the fast
// search look into each branch first.
package scalar
