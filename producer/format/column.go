package format

import (
	"bytes"
	"fmt"
)

// A column gathers lines of one cell. A few are no cells but numbers: the size
// of a grid that follows, or how many there are.
type column struct {
	cells cells
	text  string // the first line
}

// readCell takes a line with nothing but one cell in it.
func (r *Reader) readCell() bool {
	l := &r.line
	t := l.body()
	if len(t) != 1 || bytes.IndexByte(l.full, '\t') >= 0 || cell[t[0]] == notCell {
		return false
	}
	c := &r.column.cells
	if c.n == 0 {
		r.block.end(r)
		r.column.text = l.excerpt()
	}
	c.symbol(t[0], l.start())
	if c.n == 81 {
		r.cells = *c
		r.emitCells()
		c.reset(nil)
	}
	r.afterOne = false
	return true
}

// end takes the lines of one cell so far as all there are.
func (c *column) end(r *Reader) {
	switch n := c.cells.n; {
	case n == 0:
	case n < 9:
		r.note(c.cells.first, c.text)
	default:
		r.bad(c.cells.first, c.cells.first, "", fmt.Sprintf("%d lines of one cell, want 81", n))
	}
	c.cells.reset(nil)
}

// endColumn takes a line that is no cell.
func (r *Reader) endColumn() bool {
	r.column.end(r)
	return false
}
