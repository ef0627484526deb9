package scalar

import "math/bits"

// patience is how many nodes the ordered search sees without a solution before
// it has the fast search look into each branch first.
const patience = 400

// ordered calls found with the solutions of the state at the bottom of the
// stack in lexicographic order, until found returns false or the watch is over.
// It goes on from a solution to the next in a time that does not depend on how
// the space lies, but for the fast search's.
func (s *search) ordered(found func(*[81]uint8) bool) {
	nodes := 0    // since the last solution
	witness := -1 // the state on the stack that s.found is a solution of
	for top := 0; top >= 0; {
		if s.tick() {
			return
		}
		t := &s.stack[top]
		if !t.propagate(&s.pairs) {
			top--
			continue
		}
		if t.open.empty() {
			t.write(&s.found)
			if !found(&s.found) {
				return
			}
			nodes, witness = 0, -1
			top--
			continue
		}
		if nodes++; nodes > patience && witness != top {
			s.stack[top+1] = *t
			if s.run(top+1, 1) == 0 {
				top--
				continue
			}
			witness = top
		}
		p := t.first()
		d := t.lowest(p)
		top++
		s.stack[top] = *t
		t.drop(d, p)
		s.stack[top].put(d, p)
		if witness == top-1 && int(s.found[cell[p]]) == d+1 {
			witness = top
		}
	}
}

// first returns the open cell that comes first in row-major order.
func (s *state) first() uint8 {
	for b, x := range s.open {
		for r := range 3 {
			if y := x >> (3 * r) & rowCells; y != 0 {
				return firstColumn(y) + uint8(27*b+3*r)
			}
		}
	}
	panic("scalar: no open cell")
}

// firstColumn returns the bit of x, cells of row 0, that comes first in the row.
func firstColumn(x uint32) uint8 {
	k := bits.TrailingZeros32(miniRows(x))
	return uint8(bits.TrailingZeros32(x & (boxCells << k)))
}
