package format

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"sudoku/solver"
)

// cells81 reads 81 characters into g and reports whether all are cells.
func cells81(b *[81]byte, g *solver.Grid) bool {
	if digits81(b, g) {
		return true
	}
	bad := uint8(0)
	for i, c := range b {
		g[i] = cell[c]
		bad |= g[i]
	}
	return bad != notCell
}

// digits81 is cells81 for the two usual blanks, . and 0, eight characters at a
// time. XOR with '0' leaves 0 to 9 for a digit, and 0x1e for a dot, which the
// mask of the bytes equal to 0x1e then clears.
func digits81(b *[81]byte, g *solver.Grid) bool {
	const (
		ones = 0x0101010101010101
		low  = 0x7f * ones
	)
	over := uint64(0)
	for i := 0; i < 80; i += 8 {
		x := binary.LittleEndian.Uint64(b[i:]) ^ '0'*ones
		t := x ^ ('.'^'0')*ones
		dots := ^((t&low + low) | t | low) >> 7 * 0xff
		x &^= dots
		over |= x | (x&low + (0x7f-9)*ones)
		binary.LittleEndian.PutUint64(g[i:], x)
	}
	g[80] = cell[b[80]]
	return over&^low == 0 && g[80] <= 9
}

// fast reads the next line if it is 81 cells and nothing else and is in the
// buffer already. Then it has consumed the line and filled in p, which must be
// the zero Puzzle. It leaves a line to others after which there may be letters,
// the regions of a jigsaw.
func (r *Reader) fast(p *Puzzle) bool {
	s := &r.source
	if s.afterCR && s.start < s.end {
		s.skipLF()
	}
	b := s.buf[s.start:s.end]
	if len(b) < 82 || b[81] != '\n' && b[81] != '\r' || len(b) > 83 && isLetter(b[83]) || !cells81((*[81]byte)(b), &p.Grid) {
		p.Grid = solver.Grid{}
		return false
	}
	p.File, p.Line, p.Column = r.file, s.line, 1
	s.start += 81
	s.scanned = 0
	s.endLine()
	r.found, r.afterOne = true, true
	return true
}

// readLine takes a line that has 81 cells in a row, alone or as a part of it
// that other characters set off. If there are several, as a puzzle and its
// solution, it is the first that is not complete.
func (r *Reader) readLine() bool {
	l := &r.line
	if len(l.text) <= 25 {
		return false
	}
	if r.readSpaced() {
		return true
	}
	chosen := -1
	for start, end := range chunks(l.text) {
		chunk := l.text[start:end]
		switch {
		case isGrid(chunk):
			if chosen < 0 || isComplete(l.text[chosen:][:81]) && !isComplete(chunk) {
				chosen = start
			}
		case chosen < 0 && resemblesGrid(chunk):
			r.block.end(r)
			r.badChunk(start, end)
			r.afterOne = true
			return true
		}
	}
	if chosen < 0 || r.format == Line && chosen > l.indent {
		return false
	}
	r.block.end(r)
	if r.jigsaw = r.regionsFollow(); r.jigsaw {
		r.badLine(jigsaw)
	} else {
		r.emitChunk(chosen)
	}
	r.afterOne = true
	return true
}

// emitChunk makes the 81 characters at index start the next puzzle.
func (r *Reader) emitChunk(start int) {
	p := Puzzle{Line: r.line.number, Column: start + 1}
	cells81((*[81]byte)(r.line.text[start:]), &p.Grid)
	r.emit(p)
}

// badChunk says what keeps some characters of the line from being a grid.
func (r *Reader) badChunk(start, end int) {
	r.cells.reset(r.line.raw)
	for i := start; i < end; i++ {
		r.cells.symbol(r.line.text[i], r.line.at(i))
	}
	r.badCells(r.line.excerpt())
}

// badCells says what keeps the cells collected from being a grid.
func (r *Reader) badCells(text string) {
	c := &r.cells
	if c.n == 0 {
		c.first = r.line.start()
	}
	place, reason := c.first, wrongCount(c.n)
	switch f := &c.fault; {
	case c.n == 81 && f.is():
		place, reason = f.spot, fmt.Sprintf("row %d, column %d: %v", f.cell/9+1, f.cell%9+1, f)
	case c.n == 81:
		reason = mixedBlanks
	case f.is() && f.cell == 81:
		place, reason = f.spot, fmt.Sprintf("unexpected %q after cell 81", f.text)
	}
	r.bad(c.first, place, text, reason)
}

// readSpaced takes a line of exactly 81 characters in which spaces stand for
// blank cells and nothing else does.
func (r *Reader) readSpaced() bool {
	full := r.line.full
	if len(full) != 81 || len(bytes.Trim(full, " ")) == 0 {
		return false
	}
	p := Puzzle{Line: r.line.number, Column: 1}
	for i, s := range full {
		switch {
		case s == ' ':
		case isDigit(s) && s != '0':
			p.Grid[i] = s - '0'
		default:
			return false
		}
	}
	r.block.end(r)
	r.emit(p)
	r.afterOne = true
	return true
}

func isGrid(chunk []byte) bool {
	var g solver.Grid
	return len(chunk) == 81 && cells81((*[81]byte)(chunk), &g)
}

func isComplete(chunk []byte) bool {
	for _, c := range chunk {
		if cell[c] == 0 {
			return false
		}
	}
	return true
}

// resemblesGrid reports whether a chunk is meant to be a grid and is none: it
// is long and has digits, and three of four characters are cells; or it is a
// larger grid, in which letters are digits.
func resemblesGrid(chunk []byte) bool {
	if len(chunk) <= 25 {
		return false
	}
	good, digits := 0, 0
	for _, c := range chunk {
		if cell[c] != notCell {
			good++
		}
		if isDigit(c) {
			digits++
		}
	}
	return digits > 0 && 4*good >= 3*len(chunk) || squareSize(len(chunk)) > 0 && hasLetterDigits(chunk)
}

// readGroups takes a line of 81 cells with spaces or commas between them, or
// between groups of them.
func (r *Reader) readGroups() bool {
	if len(r.line.text) < 81 || !r.cells.nines(&r.line) && !r.cells.line(&r.line) || r.cells.n <= 25 {
		return false
	}
	r.block.end(r)
	r.flat(r.line.excerpt())
	r.afterOne = true
	return true
}

// flat takes the cells collected as a grid, good or bad.
func (r *Reader) flat(text string) {
	if c := &r.cells; c.n == 81 && !c.fault.is() && c.seen != nullSeen|zeroSeen {
		r.emitCells()
	} else {
		r.badCells(text)
	}
}
