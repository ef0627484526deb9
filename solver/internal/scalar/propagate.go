package scalar

import "math/bits"

// propagate draws all conclusions from locked candidates and singles, and reports
// whether s may have a solution. If it may, twos is set to the open cells with
// two candidates.
func (s *state) propagate(twos *set) bool {
	for {
		for s.dirty != 0 {
			for m := s.dirty; m != 0; m &= m - 1 {
				if !s.lock(bits.TrailingZeros32(m)) {
					return false
				}
			}
		}
		one0, two0, three0 := s.count(0)
		one1, two1, three1 := s.count(1)
		one2, two2, three2 := s.count(2)
		if one0&one1&one2 != all {
			return false
		}
		naked := set{s.open[0] &^ two0, s.open[1] &^ two1, s.open[2] &^ two2}
		if naked.empty() {
			*twos = set{two0 &^ three0, two1 &^ three1, two2 &^ three2}
			return true
		}
		s.settle(&naked)
	}
}

// lock takes from digit d the candidates that are on no permutation, by rows and
// by columns, and takes from the other digits the cells that are the last
// place of d in a house. It reports whether d still has all its places.
func (s *state) lock(d int) bool {
	c := &s.cand[d]
	a0, a1, a2 := c[0], c[1], c[2]
	var free uint64
	for {
		m := a0 | a1 | a2
		free = rows[m&511] | rows[m>>9&511]<<9 | rows[m>>18&511]<<18
		a0 &= uint32(free)
		a1 &= uint32(free)
		a2 &= uint32(free)

		// The columns of a stack are numbered as the words. A permutation takes a
		// band for each: for word 0 band b, for words 1 and 2 either b+1 and b+2
		// (up) or b+2 and b+1 (down). Three stacks and three b at once.
		c0, c1, c2 := top(a0), twice(top(a1)), twice(top(a2))
		up := twice(c0 & uint32(c1>>9) & uint32(c2>>18))
		down := twice(c0 & uint32(c1>>18) & uint32(c2>>9))
		b0 := a0 & (uint32(up|down) & topRow * below)
		b1 := a1 & (uint32(up>>18|down>>9) & topRow * below)
		b2 := a2 & (uint32(up>>9|down>>18) & topRow * below)
		if (b0^a0)|(b1^a1)|(b2^a2) == 0 {
			break
		}
		a0, a1, a2 = b0, b1, b2
	}
	if a0 == 0 {
		return false
	}
	c[0], c[1], c[2] = a0, a1, a2

	last := uint32(free>>32) &^ (a0&a1 | a1&a2 | a2&a0)
	n0, n1, n2 := a0&last&s.open[0], a1&last&s.open[1], a2&last&s.open[2]
	if n0|n1|n2 != 0 {
		s.open[0] &^= n0
		s.open[1] &^= n1
		s.open[2] &^= n2
		for e := range s.cand {
			p := &s.cand[e]
			hit := p[0]&n0 | p[1]&n1 | p[2]&n2
			s.dirty |= (hit + all) >> 27 << e // without a branch: the sum carries unless hit is 0
			p[0] &^= n0
			p[1] &^= n1
			p[2] &^= n2
		}
		c[0], c[1], c[2] = a0, a1, a2
	}
	s.dirty &^= 1 << d
	return true
}

// count returns the cells of word j with at least one, two and three candidates.
func (s *state) count(j int) (one, two, three uint32) {
	for d := range s.cand {
		x := s.cand[d][j]
		three |= two & x
		two |= one & x
		one |= x
	}
	return one, two, three
}

// settle takes the candidates of naked, cells that have one, from their peers.
func (s *state) settle(naked *set) {
	for d := range s.cand {
		c := &s.cand[d]
		n0, n1, n2 := c[0]&naked[0], c[1]&naked[1], c[2]&naked[2]
		if n0|n1|n2 == 0 {
			continue
		}
		p0, p1, p2 := peersOf(n0, n1, n2)
		c[0] &^= p0
		c[1] &^= p1
		c[2] &^= p2
		s.dirty |= 1 << d
	}
}
