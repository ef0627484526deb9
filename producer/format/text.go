package format

import (
	"bytes"
	"strings"
)

// spot is a place in the input; line and column count from 1.
type spot struct{ line, column int }

// line is a line of the input.
type line struct {
	number int    // from 1
	raw    []byte // as it is written
	odd    bool   // not all of it is printable ASCII and tabs
	full   []byte // one byte for each character; see plain
	text   []byte // full without the spaces at the end
	indent int    // spaces at the beginning of text
	buf    []byte // for plain
}

func (l *line) set(raw []byte, number int) {
	l.number, l.raw, l.full = number, raw, raw
	if l.odd = !isPlain(raw); l.odd {
		l.buf = plain(raw, l.buf[:0])
		l.full = l.buf
	}
	l.text = trimRight(l.full)
	l.indent = indent(l.text)
}

// body returns the text without the spaces at its beginning.
func (l *line) body() []byte { return l.text[l.indent:] }

// at returns the place of a character.
func (l *line) at(index int) spot { return spot{l.number, index + 1} }

// start returns the place of the first character that is no space.
func (l *line) start() spot { return l.at(l.indent) }

// excerpt returns the line, shortened, as something to show.
func (l *line) excerpt() string {
	const most = 160 // bytes
	text := l.raw
	if len(text) > most {
		text = text[:most]
	}
	return strings.ToValidUTF8(string(trim(text)), "\ufffd")
}

// indent returns how many spaces a text begins with.
func indent(text []byte) int {
	n := 0
	for n < len(text) && isSpace(text[n]) {
		n++
	}
	return n
}

func trimRight(text []byte) []byte {
	for len(text) > 0 && isSpace(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	return text
}

func trim(text []byte) []byte { return trimRight(text[indent(text):]) }

// unquoted returns the part of text[start:end] without the spaces and quotes at
// its ends.
func unquoted(text []byte, start, end int) (int, int) {
	for start < end && gaps[text[start]] {
		start++
	}
	for start < end && gaps[text[end-1]] {
		end--
	}
	return start, end
}

// spans are parts of a text, text[start:end].
type spans func(yield func(start, end int) bool)

// split yields the fields between separators, of which there may be none.
func split(text []byte, separator byte) spans {
	return func(yield func(start, end int) bool) {
		for start := 0; ; {
			n := bytes.IndexByte(text[start:], separator)
			if n < 0 {
				yield(start, len(text))
				return
			}
			if !yield(start, start+n) {
				return
			}
			start += n + 1
		}
	}
}

// words yields what stands between spaces and quotes.
func words(text []byte) spans { return between(text, &gaps) }

// chunks yields what stands between delimiters, which are all the marks that
// are not part of a word and stand for no cell.
func chunks(text []byte) spans { return between(text, &delimiters) }

func between(text []byte, marks *[256]bool) spans {
	return func(yield func(start, end int) bool) {
		for i := 0; i < len(text); {
			for i < len(text) && marks[text[i]] {
				i++
			}
			start := i
			for i < len(text) && !marks[text[i]] {
				i++
			}
			if start < i && !yield(start, i) {
				return
			}
		}
	}
}

var (
	gaps       = set(" \t\"'`")
	delimiters = set(" \t\"'`,;:|<>=/&()[]{}")
)

func set(characters string) (s [256]bool) {
	for _, c := range []byte(characters) {
		s[c] = true
	}
	return s
}
