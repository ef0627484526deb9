package scalar

import "math/bits"

// state is what is known at a node of the search.
type state struct {
	cand  [9]set // the candidates of each digit, the digits counted from 0
	open  set    // cells whose digit is still a candidate elsewhere for all we know
	dirty uint32 // digits, one a bit, whose candidates have changed since lock
}

// load sets s to the clues of g and reports whether they are digits. Clues that
// contradict each other leave a cell without candidates.
func (s *state) load(g *Grid) bool {
	var clues [16]set
	var any uint8
	for i := range 27 {
		d0, d1, d2 := g[3*i], g[3*i+1], g[3*i+2]
		any |= d0 | d1 | d2
		clues[d0&15][0] |= 1 << i
		clues[d1&15][1] |= 1 << i
		clues[d2&15][2] |= 1 << i
	}
	for d := 10; d < 16; d++ {
		if !clues[d].empty() {
			return false
		}
	}
	s.open = clues[0]
	o := &s.open
	for d := range s.cand {
		c := &clues[d+1]
		p0, p1, p2 := peersOf(c[0], c[1], c[2])
		s.cand[d] = set{(o[0] | c[0]) &^ p0, (o[1] | c[1]) &^ p1, (o[2] | c[2]) &^ p2}
	}
	s.dirty = 1<<9 - 1
	return any < 16
}

// put makes digit d the only candidate of cell i, and takes it from the peers.
func (s *state) put(d, i uint8) {
	j, shift := i%3, i/3
	for e := range s.cand {
		s.dirty |= s.cand[e][j] >> shift & 1 << e
		s.cand[e][j] &^= 1 << shift
	}
	c := &s.cand[d]
	c[j] |= 1 << shift
	for j, x := range peers[i] {
		c[j] &^= x
	}
}

// drop takes digit d from the candidates of cell i.
func (s *state) drop(d, i uint8) {
	s.cand[d][i%3] &^= 1 << (i / 3)
	s.dirty |= 1 << d
}

// digits returns the candidates of cell i, one a bit.
func (s *state) digits(i uint8) (m uint32) {
	j, shift := i%3, i/3
	for d := len(s.cand) - 1; d >= 0; d-- {
		m = m<<1 | s.cand[d][j]>>shift&1
	}
	return m
}

// smallest returns the smallest candidate of cell i.
func (s *state) smallest(i uint8) uint8 { return uint8(bits.TrailingZeros32(s.digits(i))) }

// write sets g to s, which has no open cell: each digit has three cells in each
// word.
func (s *state) write(g *Grid) {
	for d := range s.cand {
		for j, x := range s.cand[d] {
			for range 3 {
				g[3*bits.TrailingZeros32(x)+j] = uint8(d + 1)
				x &= x - 1
			}
		}
	}
}
