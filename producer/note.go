package main

import (
	"encoding/json"
	"errors"
	"strconv"

	"sudoku/producer/client/jobs"
	"sudoku/producer/format"
)

// A note goes with a puzzle of a job, and says what the answer should be printed
// with. What it leaves out follows from the puzzle before: the same file, the
// next line. So most puzzles need none.
type note struct {
	File   string     `json:"file,omitempty"`
	Line   int        `json:"line,omitempty"`
	Column int        `json:"column,omitempty"` // 1 where it is left out
	Text   string     `json:"text,omitempty"`   // of a bad puzzle
	Error  *noteError `json:"error,omitempty"`  // of one that is bad or breaks the rules
}

// A noteError is a [format.Error] in the file of the puzzle.
type noteError struct {
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Reason string `json:"reason"`
}

// Every puzzle whose number is a multiple of wholeNote has a note that leaves
// nothing out: results may begin there.
const wholeNote = 256

// A place is where the puzzle before was.
type place struct {
	file string
	line int
}

// annotate returns puzzle number i of the input as one of a job.
func (w *place) annotate(i int, p *format.Puzzle) jobs.Puzzle {
	n := note{File: p.File, Line: p.Line, Column: p.Column, Text: p.Text}
	err := p.Err
	if err == nil {
		err = p.Locate(p.Grid.Check())
	}
	if at := (*format.Error)(nil); errors.As(err, &at) {
		n.Error = &noteError{at.Line, at.Column, at.Reason}
	}
	if n.Column == 1 {
		n.Column = 0
	}
	if i%wholeNote != 0 && n.File == w.file {
		n.File = ""
	}
	if i%wholeNote != 0 && n.Line == w.line+1 {
		n.Line = 0
	}
	w.file, w.line = p.File, p.Line
	return jobs.Puzzle{Grid: p.Grid, Bad: p.Err != nil, Note: n.encode()}
}

func (n note) encode() string {
	switch n {
	case note{}:
		return ""
	case note{Line: n.Line}: // every puzzle of more than a line
		return `{"line":` + strconv.Itoa(n.Line) + `}`
	}
	text, err := json.Marshal(n)
	if err != nil {
		panic(err) // texts and numbers can be marshalled
	}
	return string(text)
}

// puzzle returns the puzzle that was annotated, and why it has no solution. In a
// job that others submitted, with notes of their own or none, the job stands for
// the file and the number for the line.
func (w *place) puzzle(a jobs.Answer) (*format.Puzzle, error) {
	var n note
	if a.Puzzle.Note != "" && json.Unmarshal([]byte(a.Puzzle.Note), &n) != nil {
		n = note{}
	}
	if n.File != "" {
		w.file = n.File
	}
	w.line++
	if n.Line > 0 {
		w.line = n.Line
	}
	p := &format.Puzzle{Grid: a.Puzzle.Grid, File: w.file, Line: w.line, Column: max(n.Column, 1), Text: n.Text}
	if a.Puzzle.Bad && n.Error == nil {
		p.Text = a.Text
	}
	err := a.Err
	if n.Error != nil {
		err = &format.Error{File: w.file, Line: n.Error.Line, Column: n.Error.Column, Reason: n.Error.Reason}
	}
	if a.Puzzle.Bad {
		p.Err = err
	}
	return p, err
}
