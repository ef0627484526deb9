package format

import (
	"bytes"
	"fmt"
	"strconv"
)

// spot is a place in the input; line and column count from 1.
type spot struct{ line, column int }

// cells collects the cells of one line or one list, in order.
type cells struct {
	n     int // how many there are; the first 81 are kept
	digit [81]uint8
	at    [81]spot
	blank byte // a symbol that stands for a blank one; 0: none seen
	good  int  // how many can be read
	fault fault
	first spot
}

// fault is the first cell that cannot be read; the zero value is none.
type fault struct {
	spot
	cell   int // its index
	reason string
}

func (c *cells) reset() { c.n, c.good, c.blank, c.fault = 0, 0, 0, fault{} }

func (c *cells) add(digit uint8, at spot) {
	if c.n == 0 {
		c.first = at
	}
	if c.n < len(c.digit) {
		c.digit[c.n], c.at[c.n] = digit, at
	}
	c.n++
	c.good++
}

// addBad adds a cell that cannot be read.
func (c *cells) addBad(at spot, reason string) {
	if c.fault.reason == "" {
		c.fault = fault{at, c.n, reason}
	}
	c.add(0, at)
	c.good--
}

// line reads cells from a line and reports whether it is a line of cells at
// all: in its greater part it must be.
func (c *cells) line(l *line) bool {
	c.reset()
	text := uncommented(l.text)
	switch {
	case bytes.IndexByte(text, '|') >= 0:
		return c.bars(l, text)
	case bytes.IndexByte(text, ',') >= 0:
		c.fields(l, text, 0, ',')
	case bytes.IndexByte(text, ';') >= 0:
		c.fields(l, text, 0, ';')
	case bytes.Count(text, []byte{'\t'}) == 8:
		c.fields(l, text, 0, '\t')
	default:
		return c.words(l, text, 0)
	}
	return 2*c.good > c.n
}

// uncommented cuts off a comment at the end of the line.
func uncommented(text []byte) []byte {
	for i := 1; i < len(text); i++ {
		if isSpace(text[i-1]) && (text[i] == '#' || bytes.HasPrefix(text[i:], []byte("//"))) {
			return text[:i]
		}
	}
	return text
}

// words reads cells that stand together, or in groups, or one by one. text
// begins at index from of the line.
func (c *cells) words(l *line, text []byte, from int) bool {
	if singles, all := countWords(text); all > 1 && 2*singles > all {
		for start, end := range words(text) {
			c.value(l, text[start:end], from+start)
		}
		return 2*c.good > c.n
	}
	for start, end := range words(text) {
		for i, s := range text[start:end] {
			c.symbol(l, s, from+start+i)
		}
	}
	return 4*c.good >= 3*c.n
}

// fields reads cells between separators; nothing between two is a blank cell.
func (c *cells) fields(l *line, text []byte, from int, separator byte) {
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

// symbol adds the cell that a single character stands for.
func (c *cells) symbol(l *line, s byte, index int) {
	at := spot{l.number, index + 1}
	switch d := cell[s]; {
	case d == notCell:
		c.addBad(at, unexpected(character(l.raw, index)))
	default:
		c.add(d, at)
		if d == 0 && s != '0' {
			c.blank = s
		}
	}
}

// value adds the cell that a word, perhaps quoted, stands for.
func (c *cells) value(l *line, word []byte, index int) {
	for len(word) > 0 && (isSpace(word[0]) || isQuote(word[0])) {
		word, index = word[1:], index+1
	}
	for len(word) > 0 && (isSpace(word[len(word)-1]) || isQuote(word[len(word)-1])) {
		word = word[:len(word)-1]
	}
	at := spot{l.number, index + 1}
	switch {
	case len(word) == 0:
		c.add(0, at)
	case len(word) == 1:
		c.symbol(l, word[0], index)
	case isNull(word):
		c.add(0, at)
	default:
		c.addBad(at, unexpectedWord(string(word)))
	}
}

// isNull reports whether a word means no value in some programming language.
func isNull(word []byte) bool {
	switch string(word) {
	case "-1", "null", "None", "nil", "NULL", "NaN", "nan", "undefined", "Nothing", "NA":
		return true
	}
	return false
}

func unexpectedWord(word string) string {
	if _, err := strconv.Atoi(word); err == nil {
		return word + " is out of range 1 to 9"
	}
	return fmt.Sprintf("unexpected %q, want a digit 1 to 9 or a blank", word)
}

func unexpected(character string) string {
	switch character {
	case "O", "o":
		return fmt.Sprintf("unexpected %q, the letter; a blank is the digit 0", character)
	}
	return fmt.Sprintf("unexpected %q, want a digit 1 to 9 or a blank", character)
}

// words yields the start and the end of the words between spaces.
func words(text []byte) func(yield func(start, end int) bool) {
	return func(yield func(start, end int) bool) {
		for i := 0; i < len(text); {
			for i < len(text) && (isSpace(text[i]) || isQuote(text[i])) {
				i++
			}
			start := i
			for i < len(text) && !isSpace(text[i]) && !isQuote(text[i]) {
				i++
			}
			if start < i && !yield(start, i) {
				return
			}
		}
	}
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

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }
