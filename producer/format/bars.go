package format

import "bytes"

// bars reads a line of cells between vertical bars, with or without one at
// each end:
//
//	|53.|.7.|...|              a field for each box: three cells, compact
//	| 5 3 . | . 7 . | . . . |  or spaced,
//	| 5 3   |   7   |       |  also with spaces for blank cells
//	│ 5 │ 3 │   │ │ 7 │ │ │ │ │  a field for each cell, perhaps an empty one
func (c *cells) bars(l *line, text []byte) bool {
	text, from := inside(text)
	fields := bytes.Count(text, []byte{'|'}) + 1
	if fields == 3 && c.columns(l, text, from) {
		return true
	}
	for start, end := range split(text, '|') {
		switch field := text[start:end]; {
		case fields >= 9 && len(trim(field)) < 9:
			c.value(l, field, from+start)
		case bytes.IndexByte(field, ',') >= 0:
			c.fields(l, field, from+start, ',')
		case !c.words(l, field, from+start):
			return false
		}
	}
	return 2*c.good > c.n
}

// inside cuts off the bars at the ends of a line, and returns where the rest
// begins. Two or eight bars are all between cells.
func inside(text []byte) (rest []byte, from int) {
	if n := bytes.Count(text, []byte{'|'}); n == 2 || n == 8 {
		return text, 0
	}
	if i := bytes.IndexByte(text, '|'); len(trim(text[:i])) == 0 {
		text, from = text[i+1:], i+1
	}
	if i := bytes.LastIndexByte(text, '|'); i >= 0 && len(trim(text[i+1:])) == 0 {
		text = text[:i]
	}
	return text, from
}

// columns reads three fields of three cells in which spaces are blank cells:
// nothing else stands for one, and every digit stands in one of nine columns,
// which the width of the field in the middle gives away.
func (c *cells) columns(l *line, text []byte, from int) bool {
	a, b := bytes.IndexByte(text, '|'), bytes.LastIndexByte(text, '|')
	width := b - a - 1
	margin, step := 0, 2
	switch width {
	case 3:
		step = 1
	case 5:
	case 7:
		margin = 1
	default:
		return false
	}
	next := a - width // of the field, which may lack its margin on the left
	if next < -margin || next > 0 || len(text)-b-1 > width || len(bytes.Trim(text, "123456789 |")) > 0 {
		return false
	}
	stray := len(text) - bytes.Count(text, []byte{' '}) - 2
	for k := range 9 {
		index, digit := next+k/3*(width+1)+margin+k%3*step, uint8(0)
		if index < len(text) && isDigit(text[index]) {
			digit = text[index] - '0'
			stray--
		}
		c.add(digit, l.at(from+index))
	}
	if c.blank = ' '; stray != 0 {
		c.reset(c.raw)
	}
	return stray == 0
}
