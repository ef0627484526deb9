package format

// row is a line or a list of a grid.
type row struct {
	n      int // cells; only the first nine are kept
	digit  [9]uint8
	place  [9]place // after the line of first
	first  spot
	blank  byte   // a symbol that stands for a blank cell; 0: none seen
	fault  fault  // the first cell that cannot be read
	seen   uint8  // nullSeen, zeroSeen
	number bool   // perhaps a number that says how large or how many grids are
	rule   bool   // perhaps a line between boxes: nine times the same dash
	text   string // of a row that is perhaps no row: the line
}

// row returns the cells as a row of a grid, until the next call.
func (c *cells) row() *row {
	c.asRow = row{
		n: c.n, digit: [9]uint8(c.digit[:]), place: [9]place(c.place[:]),
		first: c.first, blank: c.blank, fault: c.fault, seen: c.seen,
	}
	return &c.asRow
}

// isRule reports whether a line only separates rows, as a frame or a line
// between boxes does. perhaps says that it may also be a row of nine blank
// cells. 81 dashes are a grid.
func isRule(text []byte) (rule, perhaps bool) {
	var previous byte
	dashes, crosses, symbols := 0, 0, 0
	for _, c := range text {
		switch c {
		case '|', ' ', '\t':
			continue
		case '-', '=', '_', '*', '~':
			if c == previous {
				dashes++
			}
		case '+':
			crosses++
		case '.', ':', '\'', '`', ',', '/', '\\', '#':
		default:
			return false, false
		}
		previous = c
		symbols++
	}
	if symbols == 81 {
		return false, false
	}
	perhaps = symbols == 9 && dashes == 8 && previous != '=' && previous != '~'
	return dashes >= 2 || crosses > 0, perhaps
}

// isNumber reports whether a line is one or two numbers: the size of the grid
// that follows, or how many do.
func isNumber(text []byte) bool {
	n := 0
	for start, end := range words(text) {
		if n++; n > 2 || end-start > 7 {
			return false
		}
		for _, c := range text[start:end] {
			if !isDigit(c) {
				return false
			}
		}
	}
	return n > 0
}
