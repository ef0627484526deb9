package format

import (
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Reader reads the puzzles of one input, one after another, in constant
// memory. It is not safe for concurrent use.
type Reader struct {
	file   string
	format Format
	source source
	ready  []Puzzle // read
	taken  int      // of these, returned
	err    error    // why there will be no more: io.EOF, or reading failed
	idle   bool     // nothing that went before has a say in a line of 81 cells
	found  bool     // there was a puzzle, good or bad

	line     line
	cells    cells
	block    block
	tree     tree
	column   column
	table    table
	passing  bool    // in a part that has no puzzle
	jigsaw   bool    // the regions that follow are reported already
	afterOne bool    // the previous line held a puzzle of its own
	caption  *Puzzle // the first line that is no puzzle, in case there is none
}

// NewReader returns a Reader of r that reads format f. file is the name that
// [Puzzle.File] and every [Error] give; it may be empty. The Reader buffers:
// it may read more of r than it returns puzzles from, but never waits for more
// than the end of the line that completes a puzzle. It does not close r.
func NewReader(r io.Reader, file string, f Format) *Reader {
	return &Reader{file: file, format: f, source: newSource(r)}
}

// All yields every puzzle, good and bad, in the order of the input, as
// [Reader.Next] returns them. When reading fails it yields the zero Puzzle and
// the error of the underlying reader, and ends.
func (r *Reader) All() iter.Seq2[Puzzle, error] {
	return func(yield func(Puzzle, error) bool) {
		for {
			p, err := r.Next()
			if err == io.EOF || !yield(p, err) || err != nil {
				return
			}
		}
	}
}

// Next returns the next puzzle as soon as the input holds all of it. A text
// that cannot be read as a puzzle is a Puzzle too, one with Err set; an input
// without any puzzle is one such. The error is [io.EOF] at the end of the
// input, or what the underlying reader has returned; either comes again on
// every later call.
func (r *Reader) Next() (p Puzzle, err error) {
	if r.idle && !r.isReady() && r.fast(&p) {
		return p, nil
	}
	for !r.isReady() {
		if r.err != nil {
			return Puzzle{}, r.err
		}
		r.ready, r.taken = r.ready[:0], 0
		r.step()
	}
	r.taken++
	return r.ready[r.taken-1], nil
}

// isReady reports whether a puzzle has been read and not yet returned.
func (r *Reader) isReady() bool { return r.taken < len(r.ready) }

// step takes the next line.
func (r *Reader) step() {
	r.source.begin()
	if r.tree.active() {
		r.tree.read(r)
	} else {
		r.readLines()
	}
	r.idle = r.err == nil && r.format.reads(Line) && r.block.n == 0 && r.column.cells.n == 0 && r.table.separator == 0 && !r.passing && !r.tree.active()
}

// readLines takes a line, or lines that only go together.
func (r *Reader) readLines() {
	raw, whole, ok := r.source.peek()
	if !ok {
		r.finish()
		return
	}
	r.line.set(raw, r.source.line)
	switch at := r.line.at(0); {
	case whole:
		r.detect()
		if !r.tree.active() {
			r.source.next()
		}
	case r.format.reads(JSON) && r.readTree():
	default:
		r.block.end(r)
		r.bad(at, at, "", "line longer than 1 MiB")
		r.source.discard()
	}
}

// finish ends the input.
func (r *Reader) finish() {
	r.err = r.source.err
	if r.err != io.EOF {
		return
	}
	r.block.end(r)
	r.column.end(r)
	switch {
	case r.found:
	case r.caption != nil:
		r.emit(*r.caption)
	case r.source.line == 1 && r.source.column == 0:
		r.bad(spot{1, 1}, spot{1, 1}, "", "empty input: no puzzle")
	default:
		r.bad(spot{1, 1}, spot{1, 1}, "", "no puzzle: nothing but blank lines and comments")
	}
}

// emit makes p the next puzzle to return.
func (r *Reader) emit(p Puzzle) {
	r.found = true
	p.File = r.file
	r.ready = append(r.ready, p)
}

// bad reports a puzzle that begins at start and cannot be read for what is at
// place.
func (r *Reader) bad(start, place spot, text, reason string) {
	r.emit(r.badPuzzle(start, place, text, reason))
}

func (r *Reader) badPuzzle(start, place spot, text, reason string) Puzzle {
	return Puzzle{
		Line: start.line, Column: start.column, Text: text,
		Err: &Error{File: r.file, Line: place.line, Column: place.column, Reason: reason},
	}
}

// emitRows makes nine rows of nine the next puzzle.
func (r *Reader) emitRows(rows *[9]row) {
	first := rows[0].first
	p := Puzzle{Line: first.line, Column: first.column, places: new([81]place)}
	for i := range rows {
		w := &rows[i]
		copy(p.Grid[9*i:], w.digit[:])
		for k, at := range w.place {
			p.places[9*i+k] = place{at.line + int32(w.first.line-first.line), at.column}
		}
	}
	r.emit(p)
}

// emitCells makes the 81 cells collected the next puzzle.
func (r *Reader) emitCells() {
	c := &r.cells
	p := Puzzle{Grid: c.digit, Line: c.first.line, Column: c.first.column}
	if last := c.place[80]; last.line != 0 || int(last.column) != p.Column+80 {
		places := c.place
		p.places = &places
	}
	r.emit(p)
}

// notPuzzle takes a line that is no puzzle. Most are captions, which are
// passed over; but right after a puzzle of one line it is a bad one, unless it
// has no words, or ends like a caption: "Grid 02", "Hard:".
func (r *Reader) notPuzzle(at spot, text string) {
	switch r.format {
	case Line, Column, CSV, HoDoKu, Link:
		r.bad(at, at, text, fmt.Sprintf("not a puzzle of the format %s", r.format))
		return
	}
	if r.afterOne && !isCaption(text) {
		r.bad(at, at, text, "not a puzzle")
	} else {
		r.note(at, text)
	}
}

func isCaption(text string) bool {
	wordless := strings.IndexFunc(text, func(c rune) bool { return c == utf8.RuneError || unicode.IsLetter(c) || unicode.IsDigit(c) }) < 0
	return wordless || text[len(text)-1] == ':' || isDigit(text[len(text)-1])
}

// noteLine passes over the current line.
func (r *Reader) noteLine() {
	if !r.found {
		r.note(r.line.start(), r.line.excerpt())
	}
}

// note passes over a line. If it turns out that there is no puzzle in all the
// input, the first one of these is reported.
func (r *Reader) note(at spot, text string) {
	if !r.found && r.caption == nil {
		p := r.badPuzzle(at, at, text, "not a puzzle, and there is none in the input")
		r.caption = &p
	}
}
