package wire

import (
	"bytes"
	"fmt"
	"iter"
	"strconv"

	"sudoku/solver"
)

// Line is a puzzle of a request.
type Line struct {
	Grid solver.Grid
	Err  error // why the line is not a grid, a [*solver.ParseError]; nil otherwise
}

// AppendPuzzle appends g as a line of a request.
func AppendPuzzle(b []byte, g solver.Grid) []byte { return append(g.Append(b), '\n') }

// ParseRequest appends the puzzles of a request body to dst and returns the
// extended slice. The rules are not checked. The error is an [*Error]:
// code 400 for an empty body or more than [MaxPuzzles] lines, code 413 for more
// than [MaxBytes].
func ParseRequest(dst []Line, body []byte) ([]Line, error) {
	if err := checkBody(body); err != nil {
		return dst, err
	}
	for text := range lines(body) {
		g, err := solver.Parse(text)
		dst = append(dst, Line{Grid: g, Err: err})
	}
	return dst, nil
}

// checkBody returns an [*Error] where a body exceeds the limits of a request.
func checkBody(body []byte) error {
	if len(body) == 0 {
		return &Error{Code: CodeBadRequest, Text: "empty request: send one puzzle a line, 81 characters each"}
	}
	if len(body) > MaxBytes {
		return &Error{Code: CodeTooLarge, Text: fmt.Sprintf("request of %d bytes, at most %d are taken", len(body), MaxBytes)}
	}
	if n := CountLines(body); n > MaxPuzzles {
		return &Error{Code: CodeBadRequest, Text: fmt.Sprintf("request of %d lines, at most %d are taken", n, MaxPuzzles)}
	}
	return nil
}

// AppendResult appends the line of a solve reply that says r; reason is why, for
// an Invalid one.
func AppendResult(b []byte, r solver.Result, reason error) []byte {
	switch r.Status {
	case solver.Unique, solver.Multiple:
		b = append(r.Solution.Append(b), ' ')
		b = append(b, r.Status.String()...)
	case solver.Invalid:
		b = appendInvalid(b, reason)
	default:
		b = append(b, r.Status.String()...)
	}
	return append(b, '\n')
}

// ParseResults yields the answers of a solve reply in order. A line that is
// not an answer ends the sequence with an error that says which. A solution in
// it obeys the rules; whether it has the clues of the puzzle is not known here.
func ParseResults(body []byte) iter.Seq2[solver.Result, error] { return parse(body, parseResult) }

func parseResult(line []byte) (r solver.Result, ok bool) {
	switch {
	case string(line) == "none":
		return solver.Result{Status: solver.None}, true
	case string(line) == "timeout":
		return solver.Result{Status: solver.Timeout}, true
	case isInvalid(line):
		return solver.Result{Status: solver.Invalid}, true
	case len(line) < 82 || line[81] != ' ':
		return solver.Result{}, false
	}
	g, err := solver.Parse(line[:81])
	if err != nil || !g.Solves(solver.Grid{}) {
		return solver.Result{}, false
	}
	switch string(line[82:]) {
	case "unique":
		return solver.Result{Status: solver.Unique, Solution: g}, true
	case "multiple":
		return solver.Result{Status: solver.Multiple, Solution: g}, true
	}
	return solver.Result{}, false
}

// Count is a line of a count reply.
type Count struct {
	N      int           // solutions found; 0 unless Status is Unique, Multiple or None
	Exact  bool          // false where the limit stopped the count, and there are N or more
	Status solver.Status // Unique for 1, Multiple for more, None for 0; else Invalid or Timeout
}

// NewCount returns the Count that says n solutions, found with limit.
func NewCount(n, limit int) Count {
	c := Count{N: n, Exact: n < limit, Status: solver.Multiple}
	switch {
	case n == 0:
		c.Status = solver.None
	case n == 1 && c.Exact:
		c.Status = solver.Unique
	}
	return c
}

// AppendCount appends the line of a count reply that says c; reason is why, for
// an Invalid one.
func AppendCount(b []byte, c Count, reason error) []byte {
	switch c.Status {
	case solver.Timeout:
		b = append(b, "timeout"...)
	case solver.Invalid:
		b = appendInvalid(b, reason)
	default:
		if !c.Exact {
			b = append(b, ">="...)
		}
		b = strconv.AppendInt(b, int64(c.N), 10)
	}
	return append(b, '\n')
}

// ParseCounts yields the answers of a count reply in order. A line that is not
// an answer ends the sequence with an error that says which.
func ParseCounts(body []byte) iter.Seq2[Count, error] { return parse(body, parseCount) }

func parseCount(line []byte) (Count, bool) {
	switch {
	case string(line) == "timeout":
		return Count{Status: solver.Timeout}, true
	case isInvalid(line):
		return Count{Status: solver.Invalid}, true
	}
	digits, atLeast := bytes.CutPrefix(line, []byte(">="))
	n, err := strconv.ParseUint(string(digits), 10, 62)
	if err != nil || atLeast && n == 0 {
		return Count{}, false
	}
	if atLeast {
		return NewCount(int(n), int(n)), true
	}
	return NewCount(int(n), int(n)+1), true
}

// ParseSolutions yields the solutions of one message of an all reply. A line
// that is not a solution of puzzle ends the sequence with an error that says
// which.
func ParseSolutions(body []byte, puzzle solver.Grid) iter.Seq2[solver.Grid, error] {
	return parse(body, func(line []byte) (solver.Grid, bool) {
		g, err := solver.Parse(line)
		return g, err == nil && g.Solves(puzzle)
	})
}

// parse yields what one reads from each line of body, up to the first line it
// cannot read.
func parse[T any](body []byte, one func([]byte) (T, bool)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		n := 0
		for line := range lines(body) {
			n++
			v, ok := one(line)
			if !ok {
				yield(v, fmt.Errorf("reply line %d: %q is not an answer", n, clip(string(line))))
				return
			}
			if !yield(v, nil) {
				return
			}
		}
	}
}

func appendInvalid(b []byte, reason error) []byte {
	b = append(b, "invalid"...)
	if reason != nil {
		b = append(b, ' ')
		b = append(b, reason.Error()...)
	}
	return b
}

func isInvalid(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte("invalid"))
	return ok && (len(rest) == 0 || rest[0] == ' ')
}

// lines yields the lines of body without their LF or CRLF.
func lines(body []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for len(body) > 0 {
			line, rest, _ := bytes.Cut(body, []byte("\n"))
			line = bytes.TrimSuffix(line, []byte("\r"))
			if !yield(line) {
				return
			}
			body = rest
		}
	}
}

// CountLines returns how many lines a body has.
func CountLines(body []byte) int {
	if len(body) == 0 {
		return 0
	}
	n := bytes.Count(body, []byte("\n"))
	if body[len(body)-1] != '\n' {
		n++
	}
	return n
}
