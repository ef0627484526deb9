package format

import (
	"bytes"
	"fmt"
	"strings"
)

// table is a table whose header names the column of the puzzles. The zero
// value is none.
type table struct {
	separator byte
	column    int    // of the puzzles, from 0
	name      string // of this column
	begun     bool   // a record has been read
}

// puzzleColumns are the names of a column of puzzles.
var puzzleColumns = []string{
	"puzzle", "puzzles", "quiz", "quizzes", "question", "questions", "problem", "problems", "sudoku", "sudokus",
	"grid", "grids", "board", "boards", "mission", "unsolved", "clues", "givens", "initial", "start", "input",
}

// readHeader takes the first line of a table: several names, and one of them
// that of a column of puzzles.
func (r *Reader) readHeader() bool {
	for _, separator := range []byte(",;\t|") {
		if bytes.IndexByte(r.line.text, separator) < 0 {
			continue
		}
		column := 0
		for start, end := range split(r.line.text, separator) {
			start, end = unquoted(r.line.text, start, end)
			if name := r.line.text[start:end]; isPuzzleColumn(name) {
				r.block.end(r)
				r.table = table{separator: separator, column: column, name: string(name)}
				r.noteLine()
				return true
			}
			column++
		}
	}
	return false
}

func isPuzzleColumn(name []byte) bool {
	for _, known := range puzzleColumns {
		if strings.EqualFold(known, string(name)) {
			return true
		}
	}
	return false
}

// readRecord takes a line of the table. An empty line ends the table, and so
// does a puzzle that is no record; it was none at all if there is nothing like
// a puzzle in its first line.
func (r *Reader) readRecord() bool {
	t, l := &r.table, &r.line
	if t.separator == 0 {
		return false
	}
	switch separated := bytes.IndexByte(l.text, t.separator) >= 0; {
	case separated && (t.begun || holdsGrid(l.text)):
	case !separated && t.begun && !holdsGrid(l.text):
	default:
		*t = table{}
		return false
	}
	t.begun = true
	if start, end, ok := t.field(l.text); !ok || start == end {
		at := l.at(0)
		r.bad(at, at, l.excerpt(), fmt.Sprintf("nothing in column %d, %s", t.column+1, t.name))
	} else if isGrid(l.text[start:end]) {
		r.emitChunk(start)
	} else {
		r.badChunk(start, end)
	}
	return true
}

// field returns where in the record the puzzle is.
func (t *table) field(record []byte) (start, end int, ok bool) {
	column := 0
	for start, end := range split(record, t.separator) {
		if column == t.column {
			start, end = unquoted(record, start, end)
			return start, end, true
		}
		column++
	}
	return 0, 0, false
}
