package main

// houses collects the singles of the cells of stack k, by box, row and column.
type houses struct {
	v       vector
	s       state
	k       int
	columns [3]register
	box     register
	row     [3]register // singles of the mini-row
}

func (v vector) houses(s state, k int) *houses { return &houses{v: v, s: s, k: k} }

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
	if h.k > 0 {
		v.or(row, h.s.array("rows", 3*b+r))
	}
	v.store(row, h.s.array("rows", 3*b+r))
	if r == 2 {
		v.store(h.box, h.s.array("boxes", 3*b+h.k))
	}
}

// end stores the columns.
func (h *houses) end() {
	for j, c := range h.columns {
		h.v.store(c, h.s.array("columns", 3*h.k+j))
	}
}
