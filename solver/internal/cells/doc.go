// Package cells reads, writes and compares the 81 cells of a grid and their
// characters, many bytes at a time: 32 in the vector registers of AVX2, or eight
// in a word on any CPU. Both give the same results. A cell is a number, 1 to 9, or
// 0 where it is empty.
package cells

import "sync/atomic"

// Grid is the cells of a grid, or their characters, in row-major order.
type Grid = [81]uint8

// vectors is whether the vector registers are used.
var vectors atomic.Bool

// UseVectors has everything from now on done in the vector registers or, without
// AVX2, as before. It is safe for concurrent use.
func UseVectors(on bool) { vectors.Store(on) }

// Parse sets g to the cells that text stands for, with . or 0 for an empty one. It
// reports whether each character stands for a cell; where one does not, g means
// nothing.
func Parse(g, text *Grid) bool {
	if vectors.Load() {
		return parseVectors(g, text)
	}
	return parseWords(g, text)
}

// Format sets text to the characters of g, with . for an empty cell. It reports
// whether each cell is at most 9; where one is not, text means nothing.
func Format(text, g *Grid) bool {
	if vectors.Load() {
		return formatVectors(text, g)
	}
	return formatWords(text, g)
}

// Keeps reports whether every cell of puzzle that is not empty is the same in g.
func Keeps(g, puzzle *Grid) bool {
	if vectors.Load() {
		return keepsVectors(g, puzzle)
	}
	return keepsWords(g, puzzle)
}

// Complete reports whether each row, column and box of g has the digits 1 to 9.
//
// It represents a cell by a byte in which its digit has a bit of its own; 9 has
// none. Nine cells that have all eight bits have the digits 1 to 8 and one more
// cell. Where that is so in all houses, and nine cells of the grid are 9, each
// house has one of them.
func Complete(g *Grid) bool {
	if vectors.Load() {
		return completeVectors(g)
	}
	return completeWords(g)
}
