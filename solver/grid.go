package solver

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sudoku/solver/internal/cells"
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
func Parse[T string | []byte](text T) (g Grid, err error) {
	var characters [len(g)]byte
	n := copy(characters[:], text)
	if n < len(g) || len(text) > n {
		return Grid{}, &ParseError{Cell: n, Len: len(text)}
	}
	if !cells.Parse((*cells.Grid)(&g), &characters) {
		return Grid{}, parseError(string(text))
	}
	return g, nil
}

// Set sets g to what [Parse] returns for text, with the same error.
func (g *Grid) Set(text []byte) error {
	if len(text) == len(g) && cells.Parse((*cells.Grid)(g), (*cells.Grid)(text)) {
		return nil
	}
	var err error
	*g, err = Parse(text)
	return err
}

// parseError finds the character of text that stands for no cell.
func parseError(text string) *ParseError {
	i := strings.IndexFunc(text, func(c rune) bool { return c != '.' && (c < '0' || '9' < c) })
	return &ParseError{Cell: i, Text: string(rune(text[i])), Len: len(text)}
}

// Append appends the 81-character form of g to b, with . for an empty cell,
// and returns the extended slice. A number above 9 becomes ?.
func (g *Grid) Append(b []byte) []byte {
	n := len(b)
	b = slices.Grow(b, len(g))[:n+len(g)]
	text := (*cells.Grid)(b[n:])
	if !cells.Format(text, (*cells.Grid)(g)) {
		for i, d := range g {
			text[i] = symbols[min(d, 10)]
		}
	}
	return b
}

// symbols are the characters for a cell, the last one for a number above 9.
const symbols = ".123456789?"

// String returns the 81-character form of g, as [Grid.Append] writes it.
func (g Grid) String() string { return string(g.Append(make([]byte, 0, len(g)))) }

// Check returns nil if g obeys the rules so far: no digit twice in a row,
// column or box. It returns a [*DigitError] for a number above 9, else a
// [*ConflictError] for the first cell, in row-major order, that repeats an
// earlier one. A grid that passes may still have no solution.
func (g Grid) Check() error {
	const (
		eachOnce = 0x11_1111_1110
		anyEmpty = 0xf
	)
	if g.counts()&^(eachOnce|anyEmpty) == 0 {
		return nil
	}
	for i, d := range g {
		if d > 9 {
			return &DigitError{Cell: i, Digit: d}
		}
	}
	return g.conflict()
}

// counts counts the digits in each house, 0 included, in the four-bit parts of a
// word, and returns the OR of the houses' words. It does so without a branch on a
// cell, which the processor could not foresee. Numbers above 15 are in the last part.
func (g *Grid) counts() (counts uint64) {
	var columns, boxes [9]uint64
	var any uint8
	for r := range 9 {
		cells, boxes := g[9*r:][:9], boxes[r/3*3:][:3]
		var row uint64
		for k := range 3 {
			d0, d1, d2 := cells[3*k], cells[3*k+1], cells[3*k+2]
			any |= d0 | d1 | d2
			n0, n1, n2 := one(d0), one(d1), one(d2)
			columns[3*k] += n0
			columns[3*k+1] += n1
			columns[3*k+2] += n2
			boxes[k] += n0 + n1 + n2
			row += n0 + n1 + n2
		}
		counts |= row
	}
	for i := range 9 {
		counts |= columns[i] | boxes[i]
	}
	return counts | uint64(any>>4)<<60
}

// one returns a count of one d.
func one(d uint8) uint64 { return 1 << (4 * d & 63) }

// conflict returns the first cell that repeats an earlier one. There must be one.
func (g *Grid) conflict() *ConflictError {
	for second, d := range g {
		for _, h := range [3]House{Row, Column, Box} {
			for first := range second {
				if d != 0 && g[first] == d && h.of(first) == h.of(second) {
					return &ConflictError{Digit: d, House: h, Number: h.of(second), First: first, Second: second}
				}
			}
		}
	}
	panic("solver: no conflict")
}

// of returns the number of the house of kind h that cell is in.
func (h House) of(cell int) int { return [3]int{row(cell), column(cell), box(cell)}[h] }

// Solves reports whether g is a solution of puzzle: every cell filled, the
// rules obeyed, and every clue of puzzle in its place.
func (g Grid) Solves(puzzle Grid) bool { return g.Keeps(&puzzle) && g.Complete() }

// Complete reports whether every cell of g is filled and the rules are obeyed.
func (g *Grid) Complete() bool { return cells.Complete((*cells.Grid)(g)) }

// Keeps reports whether every clue of puzzle is in its place in g. It does not look
// at the rules; see [Grid.Solves].
func (g *Grid) Keeps(puzzle *Grid) bool {
	return cells.Keeps((*cells.Grid)(g), (*cells.Grid)(puzzle))
}

func row(cell int) int    { return cell / 9 }
func column(cell int) int { return cell % 9 }
func box(cell int) int    { return cell/27*3 + cell%9/3 }
