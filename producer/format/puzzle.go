package format

import (
	"errors"
	"fmt"

	"sudoku/solver"
)

// Puzzle is one puzzle of an input, or the report of a bad one.
type Puzzle struct {
	Grid   solver.Grid // the clues; the zero Grid when Err is set
	File   string      // the name the [Reader] was given
	Line   int         // where its first cell stands, from 1; for a bad one, where it begins
	Column int         // in characters, from 1
	Text   string      // of a bad puzzle: the line it is on, shortened; else empty
	Err    error       // nil, or an [*Error]: what stands here cannot be read as a puzzle

	// places has the place of every cell. It is nil when the cells are 81
	// characters in a row, which spares the common case the allocation.
	places *[81]place
}

// place is where a cell stands.
type place struct {
	line   int32 // after Puzzle.Line
	column int32 // in characters, from 1
}

// Position returns the line and the column of a cell, 0 to 80, in the input;
// both count from 1, columns in characters.
func (p *Puzzle) Position(cell int) (line, column int) {
	if p.places == nil {
		return p.Line, p.Column + cell
	}
	at := p.places[cell]
	return p.Line + int(at.line), int(at.column)
}

// Locate says where in the input the puzzle breaks the rules: err becomes an
// [*Error] at the cell a [*solver.ConflictError] is about, or else at the
// puzzle's first cell. It returns nil for nil.
func (p *Puzzle) Locate(err error) error {
	if err == nil {
		return nil
	}
	line, column := p.Line, p.Column
	if conflict := (*solver.ConflictError)(nil); errors.As(err, &conflict) {
		line, column = p.Position(conflict.Second)
	}
	return &Error{File: p.File, Line: line, Column: column, Reason: err.Error()}
}

// Error is a text that cannot be read as a puzzle, or breaks the rules of
// Sudoku, and where. It matches [solver.ErrInvalid].
type Error struct {
	File   string // empty: not named
	Line   int    // from 1
	Column int    // in characters, from 1
	Reason string
}

func (e *Error) Error() string {
	if e.File == "" {
		return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Reason)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Reason)
}

// Is reports that an Error is a [solver.ErrInvalid].
func (e *Error) Is(target error) bool { return target == solver.ErrInvalid }
