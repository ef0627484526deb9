package format

import (
	"bytes"
	"strings"
)

// detectors know one kind of line each, and are asked in this order; the first
// that returns true has dealt with the line. Those of another format than the
// one that was asked for are left out, those of Auto never are.
var detectors = [...]struct {
	format Format
	read   func(*Reader) bool
}{
	{Auto, (*Reader).readBlank},
	{Auto, (*Reader).readComment},
	{Line, (*Reader).readLine},
	{Grid, (*Reader).readRule},
	{Grid, (*Reader).readRow},
	{Auto, (*Reader).readText},
}

// detect deals with the current line.
func (r *Reader) detect() {
	for _, d := range detectors {
		if (d.format == Auto || r.format.reads(d.format)) && d.read(r) {
			return
		}
	}
}

// readBlank takes a line with nothing in it.
func (r *Reader) readBlank() bool {
	if len(r.line.text) > 0 {
		return false
	}
	r.block.gap(r)
	r.afterOne = false
	return true
}

// readComment passes over a line that begins with #.
func (r *Reader) readComment() bool {
	if t := trim(r.line.text); t[0] != '#' {
		return false
	}
	r.block.end(r)
	return true
}

// readRule takes a line between the boxes of a grid.
func (r *Reader) readRule() bool {
	rule, perhaps := isRule(r.line.text)
	switch {
	case perhaps && r.cells.line(&r.line):
		r.block.dashes(r, r.row())
	case rule:
		r.block.gap(r)
	}
	r.afterOne = r.afterOne && !rule
	return rule || perhaps
}

// readRow takes a row of a grid.
func (r *Reader) readRow() bool {
	if !r.cells.line(&r.line) {
		return false
	}
	switch c := &r.cells; {
	case c.n == 81 && c.fault.reason == "":
		r.block.end(r)
		r.emitCells()
	case c.n > 25:
		r.block.end(r)
		r.badLine()
	default:
		r.block.add(r, r.row())
	}
	r.afterOne = r.cells.n > 25
	return true
}

// row returns the cells of the current line as a row.
func (r *Reader) row() row {
	w := r.cells.row()
	w.number = isNumber(r.line.text)
	if w.n != 9 {
		w.text = r.line.excerpt()
	}
	return w
}

// badLine reports that the current line has not 81 good cells.
func (r *Reader) badLine() {
	c := &r.cells
	place, reason := c.first, wrongCount(c.n)
	if c.n == 81 {
		place, reason = c.fault.spot, inGrid(c.fault)
	}
	r.bad(c.first, place, r.line.excerpt(), reason)
}

// readText takes what nothing else has taken.
func (r *Reader) readText() bool {
	r.block.end(r)
	l := &r.line
	r.notPuzzle(spot{l.number, len(l.text) - len(bytes.TrimLeft(l.text, " \t")) + 1}, l.excerpt())
	return true
}

// excerpt returns the line, shortened, as something to show.
func (l *line) excerpt() string {
	const most = 160 // bytes
	text := l.raw
	if len(text) > most {
		text = text[:most]
	}
	return strings.ToValidUTF8(string(trim(text)), "\ufffd")
}
