package format

import "bytes"

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
	if r.block.n > 0 && r.readNine() {
		return
	}
	for _, d := range detectors {
		if (d.format == Auto || r.format.reads(d.format)) && d.read(r) {
			return
		}
	}
}

// readNine takes nine cells that stand together in the middle of a grid, where
// they can be nothing but its next row, unless they are dashes. It only saves
// asking the detectors.
func (r *Reader) readNine() bool {
	l := &r.line
	r.cells.reset(l.raw)
	if rule, perhaps := isRule(l.text); rule || perhaps || !r.format.reads(Grid) || !r.cells.compact(l, l.text) {
		return false
	}
	r.block.add(r, r.row())
	return true
}

// readBlank takes a line with nothing in it. In a grid whose blank cells are
// spaces, or nothing between tabs, such a line may be a row.
func (r *Reader) readBlank() bool {
	l := &r.line
	if len(l.text) > 0 {
		return false
	}
	row := string(l.full) == "\t\t\t\t\t\t\t\t" || len(l.full) == 9 && r.block.n > 0 && r.block.rows[r.block.n-1].blank == ' '
	if row && r.readRow() {
		return true
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
	if t := r.line.body(); t[0] != '#' && !bytes.HasPrefix(t, []byte("//")) {
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
	n := r.cells.n
	if n <= 25 {
		r.block.add(r, r.row())
		return true
	}
	r.block.end(r)
	r.afterOne = true
	if n == 81 {
		r.badLine("81 cells in a line, want 9 in each of nine rows")
	} else {
		r.badCells(r.line.excerpt())
	}
	return true
}

// row returns the cells of the current line as a row.
func (r *Reader) row() *row {
	w := r.cells.row()
	if w.n != 9 {
		w.number = isNumber(r.line.text)
		w.text = r.line.excerpt()
	}
	return w
}

// readText takes what nothing else has taken.
func (r *Reader) readText() bool {
	r.block.end(r)
	r.notPuzzle(r.line.start(), r.line.excerpt())
	return true
}
