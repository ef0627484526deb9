package format

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// A tree reads nested lists: JSON, and the arrays of programs, which differ in
// brackets, quotes and blanks but not in shape. It reads byte by byte, whatever
// the length of the line, and holds one list of cells at a time.
//
// A list of nine cells, or a string of nine, is a row, and the rows of a list
// are grids. 81 cells, in a list or a string, are a grid of their own. What is
// under a key like solution is passed over.
type tree struct {
	open     []bracket // the lists and objects that are open
	line     bool      // the line is not at its end
	solution bool      // the lists of this line are assigned to a name like solution
	broken   bool      // rows may follow that belong to a list reported as bad
	word     word
	cells    cells // of the innermost list
}

// bracket is a list or an object that is open.
type bracket struct {
	symbol   byte
	at       spot
	rows     int  // how many it has had
	object   bool // it has keys
	key      bool // the last one was like solution
	solution bool // it is under such a key itself
}

// word is a string, a number or a name; it is held back until what follows
// shows that it is no key.
type word struct {
	text   []byte
	at     []spot // of each character
	quoted bool
	held   bool
}

const maxDepth = 64

// readTree takes a line with a list in it, and all of the list.
func (r *Reader) readTree() bool {
	l := &r.line
	start := listStart(l.text)
	if start < 0 {
		return false
	}
	r.noteLine()
	r.source.skip(start)
	r.tree.line = true
	r.tree.solution = isSolution(assigned(l.text[:start]))
	return true
}

// listStart returns the index of the first bracket of a line that opens a list
// of cells, or of such lists; -1 if there is none.
func listStart(text []byte) int {
	first := indent(text)
	if bytes.IndexByte(text, '[') < 0 && bytes.IndexByte(text, '{') < 0 && text[first] != '(' {
		return -1
	}
	for i, c := range text {
		if c != '[' && c != '{' && (c != '(' || i > first) {
			continue
		}
		rest := text[i+1:][indent(text[i+1:]):]
		named := c == '{' && i == first
		if !holdsGrid(text[:i]) && (len(rest) == 0 || named || !isLetter(rest[0]) || cell[rest[0]] == 0 || isNull(firstName(rest))) {
			return i
		}
	}
	return -1
}

// holdsGrid reports whether there is a puzzle, even a bad one, in a text.
func holdsGrid(text []byte) bool {
	for start, end := range chunks(text) {
		if isGrid(text[start:end]) || resemblesGrid(text[start:end]) {
			return true
		}
	}
	return false
}

// firstName returns the letters that text begins with.
func firstName(text []byte) []byte {
	n := 0
	for n < len(text) && isLetter(text[n]) {
		n++
	}
	return text[:n]
}

// assigned returns the name that is given what follows the prefix: name = or
// name:.
func assigned(prefix []byte) []byte {
	prefix = trimRight(prefix)
	name := trimRight(bytes.TrimRight(prefix, ":="))
	if len(name) == len(prefix) {
		return nil
	}
	return name[bytes.LastIndexAny(name, " \t")+1:]
}

// isSolution reports whether a key says that its value is the solution of a
// puzzle.
func isSolution(key []byte) bool {
	for _, name := range []string{"sol", "answer", "filled", "completed"} {
		if len(key) >= len(name) && strings.EqualFold(string(key[:len(name)]), name) {
			return true
		}
	}
	return false
}

// active reports whether there is more to read for the tree.
func (t *tree) active() bool { return t.line || len(t.open) > 0 }

// read reads until a puzzle is ready or the list is over.
func (t *tree) read(r *Reader) {
	for t.active() && len(r.ready) == 0 {
		t.step(r)
	}
}

// step takes a byte, a word or a comment.
func (t *tree) step(r *Reader) {
	s := &r.source
	c, ok := s.byte()
	if !ok {
		t.finish(r)
		return
	}
	switch c {
	case '\n', '\r':
		if len(t.open) == 0 {
			t.flush(r)
		}
		s.endLine()
		t.line = false
	case '[', '{', '(':
		t.flush(r)
		t.push(r, c)
		s.advance()
	case ']', '}', ')':
		t.flush(r)
		t.pop(r, c)
		s.advance()
	case ',', ';':
		t.flush(r)
		t.separate()
		s.advance()
	case ':', '=':
		t.name()
		s.advance()
	case '"', '\'', '`':
		t.flush(r)
		t.readString(r, c)
	case '#':
		s.skipRest()
	case ' ', '\t', '>':
		s.advance()
	default:
		t.flush(r)
		t.readWord(r)
	}
}

// readWord reads up to the next space or mark.
func (t *tree) readWord(r *Reader) {
	s := &r.source
	t.word.reset(false)
	for {
		c, ok := s.byte()
		if !ok || bytes.IndexByte([]byte("[]{}(),;:=\"'`# \t\r\n"), c) >= 0 {
			break
		}
		t.word.add(c, s.spot())
		s.advance()
	}
	if bytes.HasPrefix(t.word.text, []byte("//")) {
		t.word.held = false
		s.skipRest()
	}
}

// readString reads a string. It must end on its line.
func (t *tree) readString(r *Reader, quote byte) {
	s := &r.source
	at := s.spot()
	t.word.reset(true)
	s.advance()
	for {
		c, ok := s.byte()
		switch {
		case !ok && s.err != io.EOF:
			return
		case !ok || c == '\n' || c == '\r':
			t.fail(r, at, "bad JSON: a string without an end")
			return
		case c == quote:
			s.advance()
			return
		case c == '\\':
			s.advance()
			if c, ok = s.byte(); !ok {
				continue
			}
			if c == 'n' || c == 'r' || c == 't' {
				c = ' '
			}
		}
		t.word.add(c, s.spot())
		s.advance()
	}
}

func (w *word) reset(quoted bool) {
	w.text, w.at, w.quoted, w.held = w.text[:0], w.at[:0], quoted, true
}

// add appends a byte. No word is of interest that is longer than a line of
// text can be.
func (w *word) add(c byte, at spot) {
	if len(w.text) < 1024 {
		w.text, w.at = append(w.text, c), append(w.at, at)
	}
}

// name takes the word as a key, or outside of any list as the name of a value.
func (t *tree) name() {
	switch n := len(t.open); {
	case !t.word.held:
	case n == 0:
		t.solution = isSolution(t.word.text)
	default:
		t.open[n-1].object = true
		t.open[n-1].key = isSolution(t.word.text)
	}
	t.word.held = false
}

// separate ends the value of a key.
func (t *tree) separate() {
	if n := len(t.open); n > 0 {
		t.open[n-1].key = false
	} else {
		t.solution = false
	}
}

// flush takes the word as a value.
func (t *tree) flush(r *Reader) {
	w := &t.word
	if !w.held {
		return
	}
	w.held = false
	var in *bracket
	if n := len(t.open); n > 0 {
		in = &t.open[n-1]
	}
	if in != nil && (in.solution || in.key) || in == nil && t.solution {
		return
	}
	c := &r.cells
	c.reset(nil)
	for i, s := range w.text {
		if w.quoted && (isSpace(s) || s == '|' || s == ',') && len(w.text) > 81 {
			continue
		}
		c.symbol(s, w.at[i])
	}
	switch {
	case c.n == 81 && c.good == 81:
		r.block.end(r)
		r.emitCells()
	case resemblesGrid(w.text):
		r.block.end(r)
		r.badCells(string(w.text))
	case in == nil || in.object:
	case c.n == 9 && c.good == 9:
		t.addRow(r, in, c.row())
	default:
		t.addCell(w)
	}
}

// addCell adds the word as a cell to the innermost list.
func (t *tree) addCell(w *word) {
	text := trim(w.text)
	at := t.open[len(t.open)-1].at
	if len(text) > 0 {
		at = w.at[bytes.Index(w.text, text)]
	}
	if !w.quoted {
		text = withoutFraction(text)
	}
	t.cells.word(text, at)
}

// withoutFraction cuts off the .0 of a whole number.
func withoutFraction(number []byte) []byte {
	if i := bytes.IndexByte(number, '.'); i > 0 && len(bytes.Trim(number[i+1:], "0")) == 0 {
		return number[:i]
	}
	return number
}

// addRow adds a row to the list that is its parent, nil for none.
func (t *tree) addRow(r *Reader, in *bracket, w *row) {
	if in != nil {
		if in.rows == 0 {
			t.endRows(r)
		}
		in.rows++
		t.broken = false
	}
	if !t.broken {
		r.block.add(r, w)
	}
}

// endRows takes the rows so far as all there are.
func (t *tree) endRows(r *Reader) {
	r.block.end(r)
	for i := range t.open {
		t.open[i].rows = 0
	}
}

// push opens a list.
func (t *tree) push(r *Reader, symbol byte) {
	at := r.source.spot()
	if t.cells.n > 2 {
		t.fail(r, at, "bad JSON: a list begins among the cells of another")
	}
	if len(t.open) == maxDepth {
		t.fail(r, at, fmt.Sprintf("bad JSON: more than %d lists one in another", maxDepth))
	}
	t.cells.reset(nil)
	solution := t.solution
	if n := len(t.open); n > 0 {
		solution = t.open[n-1].solution || t.open[n-1].key
	}
	t.open = append(t.open, bracket{symbol: symbol, at: at, solution: solution})
}

// pop closes the innermost list.
func (t *tree) pop(r *Reader, symbol byte) {
	n := len(t.open)
	if n == 0 {
		return
	}
	closed := t.open[n-1]
	if closes := closing(closed.symbol); closes != symbol {
		t.fail(r, r.source.spot(), fmt.Sprintf("bad JSON: %c where %c of line %d, column %d needs %c", symbol, closed.symbol, closed.at.line, closed.at.column, closes))
		return
	}
	t.open = t.open[:n-1]
	var in *bracket
	if n > 1 {
		in = &t.open[n-2]
	}
	if !closed.solution {
		t.list(r, closed, in)
	}
	t.cells.reset(nil)
	t.line = t.line || in == nil
	r.afterOne = in == nil && closed.object
}

// closing returns the bracket that closes another.
func closing(symbol byte) byte {
	if symbol == '(' {
		return ')'
	}
	return symbol + 2 // so it is in ASCII for the two others
}

// list takes the cells of the list that was closed.
func (t *tree) list(r *Reader, closed bracket, in *bracket) {
	c := &t.cells
	switch {
	case closed.rows > 0:
		r.block.end(r)
	case 2*c.good <= c.n, in == nil && c.n < 4:
		// Words, or an index, or nothing.
	case c.n > 25:
		r.cells = *c
		r.block.end(r)
		r.flat("")
	default:
		t.addRow(r, in, c.row())
	}
}

// fail reports what is wrong with a list, and gives up all that are open.
func (t *tree) fail(r *Reader, at spot, reason string) {
	start := at
	if n := len(t.open); n > 0 {
		start = t.open[n-1].at
	}
	if t.hasRows() {
		r.block.clear()
	}
	r.block.end(r)
	r.bad(start, at, "", reason)
	t.open = t.open[:0]
	t.cells.reset(nil)
	t.word.held = false
	t.line = true
	t.broken = true
}

// finish takes the end of the input. Nine whole rows are enough, though their
// list is still open.
func (t *tree) finish(r *Reader) {
	if r.source.err == io.EOF {
		t.flush(r)
		cut := t.cells.n > 0 || t.hasRows() && r.block.n != 9 || !r.found && r.block.n == 0
		if n := len(t.open); n > 0 && cut {
			last := t.open[n-1]
			t.fail(r, last.at, fmt.Sprintf("bad JSON: the %c is never closed", last.symbol))
		}
	}
	t.open = t.open[:0]
	t.line = false
}

func (t *tree) hasRows() bool {
	for _, b := range t.open {
		if b.rows > 0 {
			return true
		}
	}
	return false
}
