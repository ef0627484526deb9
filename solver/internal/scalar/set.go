package scalar

import "math/bits"

// set is a set of cells: cell i is bit i/3 of word i%3.
type set [3]uint32

// Masks of a word, or of mini-rows.
const (
	all    = 1<<27 - 1
	topRow = 0o007007007 // the first row of each band
	below  = 0o111       // times a part of topRow: these and the two below each
)

func (s *set) empty() bool { return s[0]|s[1]|s[2] == 0 }

// size returns the number of cells in s.
func (s *set) size() int {
	return bits.OnesCount64(uint64(s[0])<<32|uint64(s[1])) + bits.OnesCount32(s[2])
}

// common returns the number of cells in both s and t.
func (s *set) common(t *set) int { return (&set{s[0] & t[0], s[1] & t[1], s[2] & t[2]}).size() }

// first returns the first cell of s in row-major order. It must have one.
func (s *set) first() uint8 {
	i := bits.TrailingZeros32(s[0] | s[1] | s[2])
	for j, x := range s {
		if x>>i&1 != 0 {
			return uint8(3*i + j)
		}
	}
	panic("scalar: first of an empty set")
}

// peersOf returns the cells that share a row, a column or a box with another cell
// of the set of the words a0, a1 and a2.
func peersOf(a0, a1, a2 uint32) (p0, p1, p2 uint32) {
	m := a0 | a1 | a2
	n := near[m&511] | near[m>>9&511]<<9 | near[m>>18&511]<<18
	return n | a1 | a2 | inOtherBands(a0), n | a2 | a0 | inOtherBands(a1), n | a0 | a1 | inOtherBands(a2)
}

// inOtherBands returns the cells with one of x, a word, in their column but in
// another band.
func inOtherBands(x uint32) uint32 {
	c := twice(top(x))
	return uint32(c>>9|c>>18) & topRow * below
}

// top moves the cells of x, a word, up to the first row of their band.
func top(x uint32) uint32 { return (x | x>>3 | x>>6) & topRow }

// twice returns x with a copy of it on top. Shifts of that are rotations of x, by
// 9 and 18 from band to band.
func twice(x uint32) uint64 { return uint64(x) | uint64(x)<<27 }
