package format

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
)

// cells collects the cells of one line, list or string, in order.
type cells struct {
	n     int // how many there are; the first 81 are kept
	digit [81]uint8
	place [81]place // after the line of first
	good  int       // how many can be read
	fault fault
	first spot
	blank byte   // a symbol other than 0 that stands for a blank cell; 0: none seen
	seen  uint8  // nullSeen, zeroSeen
	raw   []byte // the line as it is written; nil: not known
	asRow row    // what row returns
}

// Blank cells that cannot be told from digits if both are there: programs that
// write null for them count the digits from 0.
const (
	nullSeen = 1 << iota
	zeroSeen
)

// fault is the first cell that cannot be read; the zero value is none.
type fault struct {
	spot
	cell   int    // its index
	text   string // what stands there
	reason string // empty: that it is not a cell
}

func (f *fault) is() bool { return f.line > 0 }

func (f *fault) String() string {
	switch {
	case f.reason != "":
		return f.reason
	case f.text == "O" || f.text == "o":
		return fmt.Sprintf("unexpected %q, the letter; a blank cell is the digit 0", f.text)
	default:
		return fmt.Sprintf("unexpected %q, want a digit 1 to 9 or a blank", f.text)
	}
}

// reset makes room for the cells of a line or list; raw may be nil.
func (c *cells) reset(raw []byte) {
	c.n, c.good, c.blank, c.seen, c.raw = 0, 0, 0, 0, raw
	if c.fault.is() {
		c.fault = fault{}
	}
}

func (c *cells) add(digit uint8, at spot) {
	if c.n == 0 {
		c.first = at
	}
	if c.n < len(c.digit) {
		c.digit[c.n], c.place[c.n] = digit, place{int32(at.line - c.first.line), int32(min(at.column, math.MaxInt32))}
	}
	c.n++
	c.good++
}

// addBad adds a cell that cannot be read; see fault.
func (c *cells) addBad(at spot, text, reason string) {
	if !c.fault.is() {
		c.fault = fault{at, c.n, text, reason}
	}
	c.add(0, at)
	c.good--
}

// symbol adds the cell that a character stands for.
func (c *cells) symbol(s byte, at spot) {
	d := cell[s]
	if d == notCell {
		c.addBad(at, c.character(s, at), "")
		return
	}
	if c.add(d, at); d == 0 && s != '0' {
		c.blank = s
	}
}

// character returns the character at a place of the line as it is written.
func (c *cells) character(s byte, at spot) string {
	if c.raw == nil {
		return string(rune(s))
	}
	return character(c.raw, at.column-1)
}

// word adds the cell that a word stands for; the empty word is a blank one.
func (c *cells) word(word []byte, at spot) {
	switch {
	case len(word) == 0:
		c.add(0, at)
	case len(word) == 1:
		if word[0] == '0' {
			c.seen |= zeroSeen
		}
		c.symbol(word[0], at)
	case isNull(word):
		c.seen |= nullSeen
		c.add(0, at)
	case isInteger(word):
		c.addBad(at, string(word), string(word)+" is out of range 1 to 9")
	default:
		c.addBad(at, string(word), "")
	}
}

func isInteger(word []byte) bool {
	_, err := strconv.Atoi(string(word))
	return err == nil
}

// line reads cells from a line and reports whether it is a line of cells at
// all: in its greater part it must be.
func (c *cells) line(l *line) bool {
	c.reset(l.raw)
	text := uncommented(l.text)
	ok := c.layout(l, text)
	if (c.n > 9 && c.n != 81 || c.fault.is()) && isCandidates(text) {
		c.reset(l.raw)
		for range 9 {
			c.addBad(l.start(), "", "a list of candidates; a grid of these cannot be read as a puzzle")
		}
		return true
	}
	return ok && c.n > 0
}

// nines reads nine groups of nine cells, whatever stands between them, or
// after them, and reports whether there are such.
func (c *cells) nines(l *line) bool {
	c.reset(l.raw)
	for start, end := range chunks(l.text) {
		group := l.text[start:end]
		if c.n == 81 {
			return !isNine(group)
		}
		if !isNine(group) {
			return false
		}
		for i, s := range group {
			c.symbol(s, l.at(start+i))
		}
	}
	return c.n == 81
}

func isNine(group []byte) bool {
	for _, s := range group {
		if cell[s] == notCell {
			return false
		}
	}
	return len(group) == 9
}

// layout reads cells by what stands between them.
func (c *cells) layout(l *line, text []byte) bool {
	switch {
	case c.compact(l, text):
	case bytes.IndexByte(text, '|') >= 0:
		return c.bars(l, text)
	case bytes.Count(l.full, []byte{'\t'}) == 8:
		c.fields(l, l.full, 0, '\t')
	case len(l.full) == 9 && c.spaced(l):
	case bytes.IndexByte(text, ',') >= 0:
		c.fields(l, text, 0, ',')
	case bytes.IndexByte(text, ';') >= 0:
		c.fields(l, text, 0, ';')
	default:
		return c.words(l, text, 0)
	}
	return 2*c.good > c.n
}

// compact reads nine cells that stand together, and reports whether these are
// all there is.
func (c *cells) compact(l *line, text []byte) bool {
	text = text[l.indent:]
	if !isNine(text) {
		return false
	}
	for i, s := range text {
		c.symbol(s, l.at(l.indent+i))
	}
	return true
}

// spaced reads nine cells of which the blank ones are spaces, and reports
// whether there are such.
func (c *cells) spaced(l *line) bool {
	if bytes.IndexByte(l.full, ' ') < 0 || len(bytes.Trim(l.full, "123456789 ")) > 0 {
		return false
	}
	for i, s := range l.full {
		c.add(s&0xf, l.at(i)) // a space has no lower bits
	}
	c.blank = ' '
	return true
}

// isCandidates reports whether a line has nine words of one or more candidates,
// the digits of each in order.
func isCandidates(text []byte) bool {
	words, many := 0, 0
	for start, end := range chunks(text) {
		if !isAscending(text[start:end]) {
			return false
		}
		if words++; end-start > 1 {
			many++
		}
	}
	return words == 9 && many > 1
}

func isAscending(word []byte) bool {
	previous := byte('0')
	for _, c := range word {
		if c <= previous || c > '9' {
			return false
		}
		previous = c
	}
	return true
}

// uncommented cuts off a comment at the end of the line.
func uncommented(text []byte) []byte {
	for i := 1; i < len(text); i++ {
		if isSpace(text[i-1]) && (text[i] == '#' || bytes.HasPrefix(text[i:], []byte("//"))) {
			return trimRight(text[:i])
		}
	}
	return text
}

// words reads cells that stand together, or in groups, or one by one. No word
// may be of other characters in its greater part. text begins at index from of
// the line.
func (c *cells) words(l *line, text []byte, from int) bool {
	if singles, all := countWords(text); all > 1 && 2*singles > all {
		for start, end := range words(text) {
			c.value(l, text[start:end], from+start)
		}
		return 2*c.good > c.n
	}
	for start, end := range words(text) {
		good := c.good
		for i, s := range text[start:end] {
			c.symbol(s, l.at(from+start+i))
		}
		if good = c.good - good; 2*good < end-start {
			return false
		}
	}
	return 4*c.good >= 3*c.n
}

// fields reads cells between separators; nothing between two is a blank cell.
// A single separator at the end parts lines and not cells.
func (c *cells) fields(l *line, text []byte, from int, separator byte) {
	if bytes.IndexByte(text, separator) == len(text)-1 {
		c.words(l, text[:len(text)-1], from)
		return
	}
	for {
		end := bytes.IndexByte(text, separator)
		if end < 0 {
			break
		}
		c.value(l, text[:end], from)
		text, from = text[end+1:], from+end+1
	}
	if trailing := c.n == 9 || c.n == 81; !trailing || len(trim(text)) > 0 {
		c.value(l, text, from)
	}
}

// value adds the cell that a field stands for; it may be quoted.
func (c *cells) value(l *line, field []byte, index int) {
	start, end := unquoted(field, 0, len(field))
	c.word(field[start:end], l.at(index+start))
}

// isNull reports whether a word means no value in some programming language.
func isNull(word []byte) bool {
	switch string(word) {
	case "-1", "null", "None", "nil", "NULL", "NaN", "nan", "undefined", "Nothing", "NA":
		return true
	}
	return false
}

// countWords counts the words between spaces, and those that are a single
// character or can stand for one cell.
func countWords(text []byte) (singles, all int) {
	for start, end := range words(text) {
		if all++; end-start == 1 || isNull(text[start:end]) {
			singles++
		}
	}
	return singles, all
}
