package scalar

import "math/bits"

// set is a set of cells, a word for each band.
type set [3]uint32

func (s *set) empty() bool { return s[0]|s[1]|s[2] == 0 }

// state is what is known at a node of the search. A cell that is not open has
// one candidate, and no peer has the same.
type state struct {
	cand  [9]set // where each digit can stand
	open  set    // cells whose digit is not yet taken from the other digits' words
	dirty uint32 // digits, as bits, whose candidates changed since they were last locked
}

// miniRows returns which mini-rows of a band are occupied by x.
func miniRows(x uint32) uint32 { return (x | x>>9 | x>>18) & planeBits }

// columns returns which columns of a band are occupied by x, as cells of row 0.
func columns(x uint32) uint32 { return (x | x>>3 | x>>6) & rowCells }

// others returns the cells next to those of x in the same mini-row.
func others(x uint32) uint32 {
	y := uint64(x) | uint64(x)<<27
	return uint32(y>>9|y>>18) & allCells
}

// peers returns the cells that share a row, a column or a box with another cell
// in s.
func (s *set) peers() set {
	c0, c1, c2 := columns(s[0]), columns(s[1]), columns(s[2])
	return set{
		besides[miniRows(s[0])] | others(s[0]) | (c1|c2)*threeRows,
		besides[miniRows(s[1])] | others(s[1]) | (c2|c0)*threeRows,
		besides[miniRows(s[2])] | others(s[2]) | (c0|c1)*threeRows,
	}
}

// load sets s to the clues of g and reports whether all of them are digits.
// Clues that contradict each other leave a cell without candidates.
func (s *state) load(g *[81]uint8) bool {
	var clues [16]set
	var all uint8
	for i, p := range position[:27] {
		d0, d1, d2 := g[i], g[i+27], g[i+54]
		all |= d0 | d1 | d2
		clues[d0&15][0] |= 1 << p
		clues[d1&15][1] |= 1 << p
		clues[d2&15][2] |= 1 << p
	}
	for d := 10; d < 16; d++ {
		if !clues[d].empty() {
			return false
		}
	}
	s.open = clues[0]
	for d := range s.cand {
		c := &clues[d+1]
		p := c.peers()
		for b := range 3 {
			s.cand[d][b] = (s.open[b] | c[b]) &^ p[b]
		}
	}
	s.dirty = 1<<9 - 1
	return all < 16
}

// put leaves digit d alone in the open cell at p, and takes d from its peers.
func (s *state) put(d int, p uint8) {
	b, bit := p/27, uint32(1)<<(p%27)
	for e := range s.cand {
		s.dirty |= s.cand[e][b] & bit >> (p % 27) << e
		s.cand[e][b] &^= bit
	}
	s.cand[d][b] |= bit
	for b, x := range peers[p] {
		s.cand[d][b] &^= x
	}
}

// drop takes digit d from the cell at p.
func (s *state) drop(d int, p uint8) {
	s.cand[d][p/27] &^= 1 << (p % 27)
	s.dirty |= 1 << d
}

// propagate draws every conclusion from locked candidates and singles, and
// reports whether s may have a solution. Afterwards pairs has the cells with
// two candidates.
func (s *state) propagate(pairs *set) bool {
	for {
		for s.dirty != 0 {
			d := bits.TrailingZeros32(s.dirty)
			s.dirty &= s.dirty - 1
			if !s.lock(d) {
				return false
			}
		}
		var one, two, three set
		for d := range s.cand {
			for b, x := range s.cand[d] {
				three[b] |= two[b] & x
				two[b] |= one[b] & x
				one[b] |= x
			}
		}
		if one[0]&one[1]&one[2] != allCells {
			return false
		}
		var naked set
		for b := range naked {
			naked[b] = s.open[b] &^ two[b]
			pairs[b] = two[b] &^ three[b]
		}
		if naked.empty() {
			return true
		}
		s.single(&naked)
	}
}

// lock takes from digit d the candidates outside its possible rows and columns,
// and takes the cells where d is single from the other digits.
func (s *state) lock(d int) bool {
	c := &s.cand[d]
	a0, a1, a2 := c[0], c[1], c[2]
	for {
		a0 &= locked[miniRows(a0)]
		a1 &= locked[miniRows(a1)]
		a2 &= locked[miniRows(a2)]
		if a0 == 0 || a1 == 0 || a2 == 0 {
			return false
		}

		// As locked, for three stacks at once: even and odd have the columns j
		// of band 0 that lie on a permutation with j+1, j+2 or with j+2, j+1 of
		// bands 1 and 2.
		c0, c1, c2 := columns(a0), twice(columns(a1)), twice(columns(a2))
		even := twice(c0 & uint32(c1>>9) & uint32(c2>>18))
		odd := twice(c0 & uint32(c1>>18) & uint32(c2>>9))
		q0 := uint32(even|odd) & rowCells
		q1 := uint32(even>>18|odd>>9) & rowCells
		q2 := uint32(even>>9|odd>>18) & rowCells
		b0, b1, b2 := a0&(q0*threeRows), a1&(q1*threeRows), a2&(q2*threeRows)
		if b0 == a0 && b1 == a1 && b2 == a2 {
			break
		}
		a0, a1, a2 = b0, b1, b2
	}
	n0 := a0 & alone[miniRows(a0)] &^ others(a0) & s.open[0]
	n1 := a1 & alone[miniRows(a1)] &^ others(a1) & s.open[1]
	n2 := a2 & alone[miniRows(a2)] &^ others(a2) & s.open[2]
	if n0|n1|n2 != 0 {
		s.open[0] &^= n0
		s.open[1] &^= n1
		s.open[2] &^= n2
		for e := range s.cand {
			p := &s.cand[e]
			hit := p[0]&n0 | p[1]&n1 | p[2]&n2
			s.dirty |= (hit + allCells) >> 27 << e
			p[0] &^= n0
			p[1] &^= n1
			p[2] &^= n2
		}
	}
	c[0], c[1], c[2] = a0, a1, a2
	s.dirty &^= 1 << d
	return true
}

// twice returns x with a copy of it on top, so that shifts of it rotate x.
func twice(x uint32) uint64 { return uint64(x) | uint64(x)<<27 }

// single takes the digits of naked, cells with one candidate, from their peers.
func (s *state) single(naked *set) {
	for d := range s.cand {
		c := &s.cand[d]
		n := set{c[0] & naked[0], c[1] & naked[1], c[2] & naked[2]}
		if n.empty() {
			continue
		}
		for b, x := range n.peers() {
			c[b] &^= x
		}
		s.dirty |= 1 << d
	}
}
