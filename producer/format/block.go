package format

import (
	"bytes"
	"fmt"
)

// A block gathers the rows of a grid. Lines that are no rows part grids from
// each other, or the boxes of one grid, or even its rows; so gaps (blank lines
// and rules) are taken as inside a grid as long as they are regular.
//
// Rows that follow each other without a gap are cut in nines. What is left
// over at their end must be nine again: ten rows are a bad grid, not a good
// one and a bit. To see that takes eighteen rows.
type block struct {
	rows    [18]row
	n       int  // rows held
	more    int  // rows of a foreign size that are counted and not held
	rules   int  // rows held that are perhaps rules
	every   int  // rows between gaps inside the grid, 1 or 3; 0: no gap so far
	width   int  // lines of the first of these gaps
	pending int  // lines of gap since the last row
	after   bool // Reader.afterOne before the first row
}

// add takes the next row.
func (b *block) add(r *Reader, next *row) {
	if b.rules > 0 && next.hasBlank() {
		b.settleRules(next)
	}
	if b.n > 0 && !b.continues(r, next) {
		b.end(r)
	}
	b.pending = 0
	if b.n == len(b.rows) {
		b.more++
		return
	}
	if b.n == 0 {
		b.after = r.afterOne
	}
	r.afterOne = false
	b.rows[b.n] = *next
	if b.n++; b.n == len(b.rows) && !foreign(b.rows[:b.n]) {
		b.finish(r, 9)
	}
}

// settleRules turns lines of nine dashes that were taken for rows into the
// rules they are, once a row shows that the grid has another blank symbol.
func (b *block) settleRules(next *row) {
	kept := 0
	for i := range b.n {
		if held := &b.rows[i]; !held.rule || held.blank == next.blank {
			b.rows[kept] = *held
			kept++
		}
	}
	b.n, b.rules = kept, 0
}

// dashes takes a line of nine dashes: a row of blank cells if the rows so far
// have such blanks, or none at all; else a rule.
func (b *block) dashes(r *Reader, next *row) {
	for i := range b.n {
		if held := &b.rows[i]; held.blank != next.blank && held.hasBlank() {
			b.gap(r)
			return
		}
	}
	next.rule = true
	b.add(r, next)
	b.rules++
}

// gap takes a blank line or a rule.
func (b *block) gap(r *Reader) {
	switch {
	case b.n == 0:
		return
	case foreign(b.rows[:b.n]) && b.n+b.more < b.rows[0].n:
	case b.every == 0 && (b.n == 1 || b.n == 3):
	case b.every != 0 && b.n != 9 && b.n%b.every == 0:
	default:
		b.end(r)
		return
	}
	b.pending++
}

// continues reports whether next belongs to the rows held. It ends those of a
// grid that stops short in the middle of regular gaps.
func (b *block) continues(r *Reader, next *row) bool {
	switch {
	case b.rows[0].number && b.n == 1 && next.n != b.rows[0].n:
		b.n = 0
		return true
	case next.number && next.n != b.rows[b.n-1].n:
		return false
	case foreign(b.rows[:b.n]):
		return next.n == b.rows[0].n || b.n == 1
	case b.pending == 0 && b.every != 0 && b.n%b.every == 0:
		b.finish(r, b.n-b.every)
		b.every = 0
		return true
	case b.pending == 0:
		return true
	case b.every == 0:
		b.every, b.width = b.n, b.pending
		return true
	default:
		return b.pending <= b.width
	}
}

// foreign reports whether rows are all of one length other than nine.
func foreign(rows []row) bool {
	for i := range rows {
		if n := rows[i].n; n == 9 || n != rows[0].n {
			return false
		}
	}
	return len(rows) > 0
}

// end takes the rows held as a grid, good or bad.
func (b *block) end(r *Reader) {
	if b.n == 10 && b.isText(b.rows[:1]) {
		b.finish(r, 1)
	}
	if b.n > 0 {
		b.finish(r, b.n)
	}
	b.clear()
}

// clear forgets the rows held.
func (b *block) clear() { b.n, b.more, b.rules, b.every, b.width, b.pending = 0, 0, 0, 0, 0, 0 }

// finish takes the first n rows as a grid, good or bad.
func (b *block) finish(r *Reader, n int) {
	rows := b.rows[:n]
	if place, reason := faultOf(rows, b.more); reason == "" {
		r.emitRows((*[9]row)(rows))
	} else if !b.isText(rows) {
		r.bad(rows[0].first, place, rows[0].text, reason)
	} else {
		r.afterOne = b.after
		r.notPuzzle(rows[0].first, rows[0].text)
	}
	b.n = copy(b.rows[:], b.rows[n:b.n])
}

// isText reports whether the rows are one line that only looks like a row: a
// date, a version. The first of ten may be one, too.
func (b *block) isText(rows []row) bool {
	return len(rows) == 1 && rows[0].n != 9 && rows[0].n < 16
}

// faultOf says what is wrong with rows as a grid, and where; an empty reason
// means nothing is. more rows like them have been counted and not held.
func faultOf(rows []row, more int) (place spot, reason string) {
	count := len(rows) + more
	if i := oddRow(rows); i >= 0 {
		odd := rows[i]
		switch {
		case count == 1:
			return odd.first, wrongCount(odd.n)
		case count == odd.n && foreign(rows):
			return odd.first, fmt.Sprintf("%d×%d grid; only 9×9 can be read", count, count)
		}
		return odd.first, fmt.Sprintf("row %d has %s, want 9", i+1, plural(odd.n, "cell"))
	}
	switch {
	case count > 9:
		return rows[9].first, fmt.Sprintf("%d rows, want 9", count)
	case count < 9:
		return rows[0].first, fmt.Sprintf("%s, want 9", plural(count, "row"))
	}
	seen := uint8(0)
	for i := range rows {
		w := &rows[i]
		if f := &w.fault; f.is() {
			return f.spot, fmt.Sprintf("row %d, column %d: %v", i+1, f.cell+1, f)
		}
		seen |= w.seen
	}
	if seen == nullSeen|zeroSeen {
		return rows[0].first, mixedBlanks
	}
	return spot{}, ""
}

const mixedBlanks = "null and 0 both used: 0 may be a digit here, counted from 0"

// oddRow returns the index of the first row that has not nine cells, or not as
// many as the first one if none has nine; -1 if all have nine.
func oddRow(rows []row) int {
	want := rows[0].n
	for i := range rows {
		if rows[i].n == 9 {
			want = 9
		}
	}
	for i := range rows {
		if rows[i].n != want {
			return i
		}
	}
	if want != 9 {
		return 0
	}
	return -1
}

func plural(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}

// wrongCount says that there are n cells and not 81.
func wrongCount(n int) string {
	if n == 729 {
		return "729 characters: a grid of pencil marks, which cannot be read as a puzzle"
	}
	if size := squareSize(n); size > 0 {
		return fmt.Sprintf("%d cells, want 81: a %d×%d grid is not a supported size", n, size, size)
	}
	return fmt.Sprintf("%s, want 81", plural(n, "cell"))
}

// squareSize returns how many rows a grid of n cells has, up to 25; 0 if it is
// not a square, or too small to be one.
func squareSize(n int) int {
	for size := 4; size <= 25; size++ {
		if size*size == n {
			return size
		}
	}
	return 0
}

// hasBlank reports whether a cell of the row is blank.
func (w *row) hasBlank() bool { return bytes.IndexByte(w.digit[:], 0) >= 0 }
