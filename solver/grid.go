package solver

import (
	"errors"
	"fmt"
	"slices"
)

// Grid is a 9×9 Sudoku grid in row-major order: the cell in row r and column c
// (both from 0) is at index 9*r+c. A cell holds 1 to 9, or 0 where it is empty;
// the zero value is the empty grid. Grids are comparable with ==.
type Grid [81]uint8

// ErrInvalid is matched, through [errors.Is], by every error that says a puzzle
// breaks the rules before any search: [*ParseError], [*DigitError] and
// [*ConflictError].
var ErrInvalid = errors.New("invalid puzzle")

// A ParseError is a text that is not the 81-character form of a grid.
type ParseError struct {
	Cell int    // index of the offending character, 0 to 81
	Text string // the offending character; empty when the length is wrong
	Len  int    // length of the text in bytes
}

func (e *ParseError) Error() string {
	if e.Text == "" {
		return fmt.Sprintf("%d characters, want 81", e.Len)
	}
	return fmt.Sprintf("row %d, column %d: unexpected %q, want a digit 1 to 9, or . or 0 for an empty cell", row(e.Cell)+1, column(e.Cell)+1, e.Text)
}

// Is reports that a ParseError is an [ErrInvalid].
func (e *ParseError) Is(target error) bool { return target == ErrInvalid }

// A DigitError is a cell of a [Grid] that holds a number above 9.
type DigitError struct {
	Cell  int // 0 to 80
	Digit uint8
}

func (e *DigitError) Error() string {
	return fmt.Sprintf("row %d, column %d: %d is not a digit 1 to 9", row(e.Cell)+1, column(e.Cell)+1, e.Digit)
}

// Is reports that a DigitError is an [ErrInvalid].
func (e *DigitError) Is(target error) bool { return target == ErrInvalid }

// House is one of the three kinds of nine cells that hold each digit once.
type House uint8

// The kinds of house, in the order in which [Grid.Check] looks at them.
const (
	Row House = iota
	Column
	Box
)

func (h House) String() string { return [...]string{"row", "column", "box"}[h] }

// A ConflictError is a digit that stands twice in a house.
type ConflictError struct {
	Digit  uint8 // 1 to 9
	House  House // the kind of house both cells are in
	Number int   // which one, 0 to 8; boxes count in row-major order
	First  int   // the cell that comes first in row-major order, 0 to 80
	Second int   // the cell that repeats it, 0 to 80
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("row %d, column %d repeats the %d of row %d, column %d in %s %d",
		row(e.Second)+1, column(e.Second)+1, e.Digit, row(e.First)+1, column(e.First)+1, e.House, e.Number+1)
}

// Is reports that a ConflictError is an [ErrInvalid].
func (e *ConflictError) Is(target error) bool { return target == ErrInvalid }

// Parse reads the strict form of a grid: 81 characters in row-major order, the
// digits 1 to 9, and . or 0 for an empty cell. It returns the zero Grid and a
// [*ParseError] for anything else. It does not look at the rules; see
// [Grid.Check].
func Parse[T string | []byte](text T) (Grid, error) {
	if len(text) != len(Grid{}) {
		return Grid{}, &ParseError{Cell: min(len(text), len(Grid{})), Len: len(text)}
	}
	var g Grid
	var all uint8
	for i := range g {
		g[i] = cells[text[i]]
		all |= g[i]
	}
	if all < noCell {
		return g, nil
	}
	i := slices.IndexFunc(g[:], func(c uint8) bool { return c == noCell })
	return Grid{}, &ParseError{Cell: i, Text: string(rune(text[i])), Len: len(text)}
}

// Append appends the 81-character form of g to b, with . for an empty cell,
// and returns the extended slice. A number above 9 becomes ?.
func (g *Grid) Append(b []byte) []byte {
	const symbols = ".123456789?"
	n := len(b)
	b = slices.Grow(b, len(g))[:n+len(g)]
	for i, d := range g {
		b[n+i] = symbols[min(d, 10)]
	}
	return b
}

// String returns the 81-character form of g, as [Grid.Append] writes it.
func (g Grid) String() string { return string(g.Append(make([]byte, 0, len(g)))) }

// Check returns nil if g obeys the rules so far: no digit twice in a row,
// column or box. It returns a [*DigitError] for a number above 9, else a
// [*ConflictError] for the first cell, in row-major order, that repeats an
// earlier one. A grid that passes may still have no solution.
func (g Grid) Check() error {
	for i, d := range g {
		if d > 9 {
			return &DigitError{Cell: i, Digit: d}
		}
	}
	var seen [3][9]uint16
	for i, d := range g {
		if d == 0 {
			continue
		}
		houses := [3]int{row(i), column(i), box(i)}
		for h, n := range houses {
			if seen[h][n]&(1<<d) != 0 {
				return &ConflictError{Digit: d, House: House(h), Number: n, First: g.first(d, House(h), n), Second: i}
			}
		}
		for h, n := range houses {
			seen[h][n] |= 1 << d
		}
	}
	return nil
}

// first returns the first cell of a house that holds d.
func (g Grid) first(d uint8, h House, number int) int {
	for i, e := range g {
		if e == d && [3]int{row(i), column(i), box(i)}[h] == number {
			return i
		}
	}
	panic("solver: no such digit in the house")
}

// Solves reports whether g is a solution of puzzle: every cell filled, the
// rules obeyed, and every clue of puzzle in its place.
func (g Grid) Solves(puzzle Grid) bool {
	for i, clue := range puzzle {
		if clue != 0 && clue != g[i] {
			return false
		}
	}
	var columns [3]triple
	for band := range 3 {
		var boxes [3]triple
		for r := 3 * band; r < 3*band+3; r++ {
			cells := g[9*r : 9*r+9]
			a, b, c := tripleOf(cells[0:3]), tripleOf(cells[3:6]), tripleOf(cells[6:9])
			if (a | b | c).union() != allDigits {
				return false
			}
			boxes[0] |= a
			boxes[1] |= b
			boxes[2] |= c
		}
		for stack, box := range boxes {
			if box.union() != allDigits {
				return false
			}
			columns[stack] |= box
		}
	}
	return columns == [3]triple{allTriple, allTriple, allTriple}
}

// A triple is three sets of digits, of 16 bits each: bit d of each is digit d. A
// number above 9 gives its set a bit that stands for nothing, or one to a set
// further up and none to its own, which is then not full either way.
type triple uint64

const (
	allDigits = 0b11_1111_1110
	allTriple = allDigits | allDigits<<16 | allDigits<<32
)

// tripleOf returns the sets of three cells.
func tripleOf(cells []uint8) triple {
	return 1<<cells[0] | 1<<16<<cells[1] | 1<<32<<cells[2]
}

// union returns the union of the three sets.
func (t triple) union() triple { return (t | t>>16 | t>>32) & 0xffff }

func row(cell int) int    { return cell / 9 }
func column(cell int) int { return cell % 9 }
func box(cell int) int    { return cell/27*3 + cell%9/3 }

// cells has what a character stands for in a cell, or noCell.
var cells = func() (cells [256]uint8) {
	for c := range cells {
		cells[c] = noCell
	}
	for d := range uint8(10) {
		cells['0'+d] = d
	}
	cells['.'] = 0
	return cells
}()

const noCell = 0xff
