package scalar

import "math/bits"

// search is a stack of states. A state above another one is a part of its
// space, taken out of it, so the height is at most the number of cells.
type search struct {
	watch
	stack [82]state
	pairs set       // cells with two candidates of the state propagated last
	found [81]uint8 // the first solution of the search before
}

// run counts the solutions of the state at base, up to limit, and destroys it. It
// keeps the first one found in s.found. When the watch is over the count is what was
// found till then.
func (s *search) run(base, limit int) (n int) {
	for top := base; top >= base; {
		if s.tick() {
			break
		}
		t := &s.stack[top]
		switch {
		case !t.propagate(&s.pairs):
			top--
		case t.open.empty():
			if n == 0 {
				t.write(&s.found)
			}
			if n++; n == limit {
				return n
			}
			top--
		default:
			top++
			s.stack[top] = *t
			s.guess(t, &s.stack[top])
		}
	}
	return n
}

// guess splits the space of t, which is equal to u, between the two.
func (s *search) guess(t, u *state) {
	if !s.pairs.empty() {
		p := s.pairs.mostPeers()
		d, e := t.pair(p)
		t.put(e, p)
		u.put(d, p)
		return
	}
	if d, p, q, ok := t.twoPlaces(); ok {
		t.put(d, q)
		u.put(d, p)
		return
	}
	p := t.fewest()
	d := t.lowest(p)
	t.drop(d, p)
	u.put(d, p)
}

// mostPeers returns the cell of s that has the most peers in s.
func (s *set) mostPeers() (cell uint8) {
	most := -1
	for b, x := range s {
		for ; x != 0; x &= x - 1 {
			p := 27*b + bits.TrailingZeros32(x)
			q := &peers[p]
			n := bits.OnesCount32(s[0]&q[0]) + bits.OnesCount32(s[1]&q[1]) + bits.OnesCount32(s[2]&q[2])
			if n > most {
				most, cell = n, uint8(p)
			}
		}
	}
	return cell
}

// pair returns the two candidates of the cell at p.
func (s *state) pair(p uint8) (d, e int) {
	m := s.digits(p)
	return bits.TrailingZeros32(m), 31 - bits.LeadingZeros32(m)
}

// lowest returns the smallest candidate of the cell at p.
func (s *state) lowest(p uint8) int { return bits.TrailingZeros32(s.digits(p)) }

// digits returns the candidates of the cell at p.
func (s *state) digits(p uint8) (m uint32) {
	b, shift := p/27, p%27
	for d := range s.cand {
		m |= s.cand[d][b] >> shift & 1 << d
	}
	return m
}

// twoPlaces returns a digit that has exactly two places in a row or a box, and
// the two.
func (s *state) twoPlaces() (d int, p, q uint8, ok bool) {
	for d := range s.cand {
		for b, x := range s.cand[d] {
			for k := range 3 {
				for _, house := range [2]uint32{boxCells << k, rowCells << (3 * k)} {
					if y := x & house; bits.OnesCount32(y) == 2 {
						first, second := bits.TrailingZeros32(y), 31-bits.LeadingZeros32(y)
						return d, uint8(27*b + first), uint8(27*b + second), true
					}
				}
			}
		}
	}
	return 0, 0, 0, false
}

// fewest returns an open cell with the fewest candidates.
func (s *state) fewest() (p uint8) {
	var more [10]set // more[n] has the cells with more than n candidates
	for d := range s.cand {
		for b, x := range s.cand[d] {
			for n := d; n > 0; n-- {
				more[n][b] |= more[n-1][b] & x
			}
			more[0][b] |= x
		}
	}
	for n := 2; n <= 9; n++ {
		for b := range more[n] {
			if x := s.open[b] & more[n-1][b] &^ more[n][b]; x != 0 {
				return uint8(27*b + bits.TrailingZeros32(x))
			}
		}
	}
	panic("scalar: no open cell")
}

// write sets g to s, in which every cell has one candidate.
func (s *state) write(g *[81]uint8) {
	for d := range s.cand {
		for b, x := range s.cand[d] {
			for ; x != 0; x &= x - 1 {
				g[cell[27*b+bits.TrailingZeros32(x)]] = uint8(d + 1)
			}
		}
	}
}
