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
	{Auto, (*Reader).readBinary},
	{Auto, (*Reader).readBlank},
	{Grid, (*Reader).readSection},
	{Grid, (*Reader).readPassed},
	{Auto, (*Reader).readComment},
	{CSV, (*Reader).readRecord},
	{Column, (*Reader).readCell},
	{Column, (*Reader).endColumn},
	{HoDoKu, (*Reader).readHoDoKu},
	{XML, (*Reader).readXML},
	{Auto, (*Reader).readPacked},
	{Link, (*Reader).readLink},
	{Grid, (*Reader).readRule},
	{JSON, (*Reader).readTree},
	{Line, (*Reader).readLine},
	{Line, (*Reader).readGroups},
	{CSV, (*Reader).readHeader},
	{Auto, (*Reader).readRegions},
	{Grid, (*Reader).readRow},
	{Grid, (*Reader).readLetters},
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

// readBlank takes a line with nothing in it. In a grid whose blank cells are
// spaces, or nothing between tabs, such a line may be a row.
func (r *Reader) readBlank() bool {
	l := &r.line
	if len(l.text) > 0 {
		return false
	}
	if string(l.full) == "\t\t\t\t\t\t\t\t" || len(l.full) == 9 && r.block.n > 0 && r.block.rows[r.block.n-1].blank == ' ' {
		return r.readRow()
	}
	r.block.gap(r)
	r.afterOne = false
	r.passing = false
	r.table = table{}
	r.tree.broken = false
	return true
}

// readComment passes over a line that begins with # or //.
func (r *Reader) readComment() bool {
	if t := trim(r.line.text); t[0] != '#' && !bytes.HasPrefix(t, []byte("//")) {
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
		w := r.row()
		w.rule = true
		r.block.dashes(r, w)
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
	n := r.cells.n
	if r.afterOne = n > 25; !r.afterOne {
		r.block.add(r, r.row())
		return true
	}
	r.block.end(r)
	if n == 81 {
		r.badLine("81 cells in a line, want 9 in each of nine rows")
	} else {
		r.badCells(r.line.excerpt())
	}
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

// readText takes what nothing else has taken.
func (r *Reader) readText() bool {
	r.block.end(r)
	r.notPuzzle(r.line.spot(), r.line.excerpt())
	return true
}

// spot returns the place of the first character that is no space.
func (l *line) spot() spot {
	return spot{l.number, len(l.text) - len(bytes.TrimLeft(l.text, " \t")) + 1}
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
