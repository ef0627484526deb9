package format

import (
	"bufio"
	"encoding/json"
	"io"
	"strconv"

	"sudoku/solver"
)

// Answer is what is printed about one puzzle.
type Answer struct {
	File   string
	Line   int         // from 1
	Puzzle solver.Grid // the clues
	Text   string      // of a puzzle that could not be read: what stands there
	// Status is unique, multiple, none, invalid, timeout or failed. Empty
	// means that the puzzle was only read, and is itself what to print.
	Status   string
	Solution solver.Grid // the zero Grid: there is none, or it was not asked for
	Count    int         // number of solutions found; see Exact
	Exact    bool        // Count is all there are; 0 and not exact: not counted
	Error    string      // why there is no answer; empty if there is one
}

// counted reports whether the answer is a number of solutions.
func (a *Answer) counted() bool { return a.Exact || a.Count > 0 }

// grid returns what to print of the answer as a grid, if anything.
func (a *Answer) grid() (g *solver.Grid, ok bool) {
	if a.Status == "" {
		return &a.Puzzle, true
	}
	return &a.Solution, a.Solution != solver.Grid{}
}

// A Writer prints answers in one of the forms. It is not safe for concurrent
// use. Errors of the underlying writer are kept: every later call returns the
// first.
type Writer struct {
	w       *bufio.Writer
	form    Form
	verdict bool
	begun   bool // something has been printed
	buf     []byte
}

// NewWriter returns a Writer to w. verdict adds unique or multiple to a
// solution in the form AsLine. The Writer buffers; call [Writer.Flush] in the
// end, and whenever what is printed should be seen.
func NewWriter(w io.Writer, form Form, verdict bool) *Writer {
	return &Writer{w: bufio.NewWriterSize(w, 1<<16), form: form, verdict: verdict}
}

// Flush hands everything printed to the underlying writer. In the form AsCSV
// this is at least the header.
func (w *Writer) Flush() error {
	w.header()
	return w.w.Flush()
}

// Write prints one answer. A solution, and a puzzle that was only read, is
// printed as a grid; a number of solutions as the number, after >= if there
// may be more; else what became of the puzzle. In the forms that take nine
// lines, none and invalid are printed as Not Possible, and an empty line parts
// an answer from the one before.
func (w *Writer) Write(a *Answer) error {
	w.header()
	b := w.buf[:0]
	switch w.form {
	case AsLine:
		b = w.appendLine(b, a)
	case AsGrid, AsSpaced, AsPretty:
		b = w.appendGrid(b, a)
	case AsJSON:
		b = appendJSON(b, a)
	case AsCSV:
		b = appendCSV(b, a)
	}
	w.begun = true
	w.buf = b
	_, err := w.w.Write(b)
	return err
}

const csvHeader = "file,line,puzzle,status,solution,count,exact,error\n"

func (w *Writer) header() {
	if w.form == AsCSV && !w.begun {
		w.w.WriteString(csvHeader)
		w.begun = true
	}
}

func (w *Writer) appendLine(b []byte, a *Answer) []byte {
	g, ok := a.grid()
	switch {
	case a.counted():
		b = appendCount(b, a)
	case !ok:
		b = append(b, a.Status...)
	default:
		b = g.Append(b)
		if w.verdict && a.Status != "" {
			b = append(append(b, ' '), a.Status...)
		}
	}
	return append(b, '\n')
}

func (w *Writer) appendGrid(b []byte, a *Answer) []byte {
	g, ok := a.grid()
	if a.counted() {
		return append(appendCount(b, a), '\n')
	}
	if w.begun {
		b = append(b, '\n')
	}
	switch {
	case ok:
		return layouts[w.form].append(b, g)
	case a.Status == "none" || a.Status == "invalid":
		return append(b, "Not Possible\n"...)
	default:
		return append(append(b, a.Status...), '\n')
	}
}

// layout says how nine lines are printed.
type layout struct {
	blank byte
	space string // between cells
	bar   string // between boxes of a row
	rule  string // line between boxes of a column
}

var layouts = [...]layout{
	AsGrid:   {blank: '0'},
	AsSpaced: {blank: '0', space: " ", bar: " "},
	AsPretty: {blank: '.', space: " ", bar: " | ", rule: "------+-------+------\n"},
}

func (l *layout) append(b []byte, g *solver.Grid) []byte {
	for i, d := range g {
		switch {
		case i == 27 || i == 54:
			b = append(b, l.rule...)
		case i%9 == 0:
		case i%3 == 0:
			b = append(b, l.bar...)
		default:
			b = append(b, l.space...)
		}
		if d == 0 {
			b = append(b, l.blank)
		} else {
			b = append(b, '0'+d)
		}
		if i%9 == 8 {
			b = append(b, '\n')
		}
	}
	return b
}

func appendCount(b []byte, a *Answer) []byte {
	if !a.Exact {
		b = append(b, ">="...)
	}
	return strconv.AppendInt(b, int64(a.Count), 10)
}

// appendJSON appends the answer as an object. A field that says nothing is
// left out.
func appendJSON(b []byte, a *Answer) []byte {
	b = append(b, `{"file":`...)
	b = appendString(b, a.File)
	b = append(b, `,"line":`...)
	b = strconv.AppendInt(b, int64(a.Line), 10)
	b = append(b, `,"puzzle":`...)
	if a.Text != "" {
		b = appendString(b, a.Text)
	} else {
		b = append(a.Puzzle.Append(append(b, '"')), '"')
	}
	if a.Status != "" {
		b = append(append(append(b, `,"status":"`...), a.Status...), '"')
	}
	if a.Solution != (solver.Grid{}) {
		b = append(a.Solution.Append(append(b, `,"solution":"`...)), '"')
	}
	if a.counted() {
		b = strconv.AppendInt(append(b, `,"count":`...), int64(a.Count), 10)
		b = strconv.AppendBool(append(b, `,"exact":`...), a.Exact)
	}
	if a.Error != "" {
		b = appendString(append(b, `,"error":`...), a.Error)
	}
	return append(b, '}', '\n')
}

// appendString appends s as a JSON string.
func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			quoted, err := json.Marshal(s)
			if err != nil {
				panic("format: " + err.Error())
			}
			return append(b, quoted...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}

func appendCSV(b []byte, a *Answer) []byte {
	b = append(appendField(b, a.File), ',')
	b = append(strconv.AppendInt(b, int64(a.Line), 10), ',')
	if a.Text != "" {
		b = appendField(b, a.Text)
	} else {
		b = a.Puzzle.Append(b)
	}
	b = append(append(append(b, ','), a.Status...), ',')
	if a.Solution != (solver.Grid{}) {
		b = a.Solution.Append(b)
	}
	b = append(b, ',')
	if a.counted() {
		b = strconv.AppendInt(b, int64(a.Count), 10)
		b = strconv.AppendBool(append(b, ','), a.Exact)
	} else {
		b = append(b, ',')
	}
	return append(appendField(append(b, ','), a.Error), '\n')
}

// appendField appends s as a field of a record, quoted if it must be.
func appendField(b []byte, s string) []byte {
	quote := false
	for i := range len(s) {
		quote = quote || s[i] == ',' || s[i] == '"' || s[i] == '\n' || s[i] == '\r'
	}
	if !quote {
		return append(b, s...)
	}
	b = append(b, '"')
	for i := range len(s) {
		if s[i] == '"' {
			b = append(b, '"')
		}
		b = append(b, s[i])
	}
	return append(b, '"')
}
