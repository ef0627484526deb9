package main

// houses collects the singles of the cells of the stacks, by box, row and column.
type houses struct {
	v       vector
	s       state
	columns [3]register
	box     register
	row     [3]register // singles of the mini-row
}

// houses begins a stack. Before the first, clearRows must have been called.
func (v vector) houses(s state) *houses { return &houses{v: v, s: s} }

func (v vector) clearRows(s state) {
	zero := v.zero()
	for i := range 9 {
		v.store(zero, s.array("rows", i))
	}
}

// stackSteps are those of the arrays that houses and their users need for a stack.
var stackSteps = []step{{"x", 3}, {"singles", 3}, {"columns", 3}, {"boxes", 1}, {"rows", 0}}

// add takes the single of cell i.
func (h *houses) add(b, r, j, i int, single register) {
	v := h.v
	v.store(single, h.s.array("singles", i))
	if h.columns[j] == nil {
		h.columns[j] = v.copy(single)
	} else {
		v.or(h.columns[j], single)
	}
	h.row[j] = single
	if j < 2 {
		return
	}
	row := h.row[0]
	v.or3(row, h.row[1], h.row[2])
	if r == 0 {
		h.box = v.copy(row)
	} else {
		v.or(h.box, row)
	}
	v.or(row, h.s.array("rows", 3*b+r))
	v.store(row, h.s.array("rows", 3*b+r))
	if r == 2 {
		v.store(h.box, h.s.array("boxes", 3*b))
	}
}

// end stores the columns.
func (h *houses) end() {
	for j, c := range h.columns {
		h.v.store(c, h.s.array("columns", j))
	}
}
