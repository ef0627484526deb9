package wire

import (
	"bytes"
	"fmt"
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
	for len(body) > 0 {
		text, rest := cutLine(body)
		dst = append(dst, Line{})
		last := &dst[len(dst)-1]
		last.Err = last.Grid.Set(text)
		body = rest
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
	case solver.Unique:
		return append(r.Solution.Append(b), " unique\n"...)
	case solver.Multiple:
		return append(r.Solution.Append(b), " multiple\n"...)
	case solver.Invalid:
		b = appendInvalid(b, reason)
	default:
		b = append(b, r.Status.String()...)
	}
	return append(b, '\n')
}

// ParseResults appends the answers of a solve reply to dst and returns the
// extended slice. The error says which line is not an answer; dst is then as it
// was. A solution obeys the rules; whether it has the clues of the puzzle is not
// known here.
func ParseResults(dst []solver.Result, body []byte) ([]solver.Result, error) {
	all, err := parse(dst, body, parseResult)
	if err != nil {
		return dst, err
	}
	answers := all[len(dst):]
	for i := range answers {
		r := &answers[i]
		if solved(r.Status) && !r.Solution.Complete() {
			return dst, notAnAnswer(i+1, r.Solution.Append(nil))
		}
	}
	return all, nil
}

// solved reports whether there is a solution.
func solved(s solver.Status) bool { return s == solver.Unique || s == solver.Multiple }

func parseResult(r *solver.Result, line []byte) bool {
	if len(line) < 82 || line[81] != ' ' {
		return parseVerdict(r, line)
	}
	switch string(line[82:]) {
	case "unique":
		r.Status = solver.Unique
	case "multiple":
		r.Status = solver.Multiple
	default:
		return parseVerdict(r, line)
	}
	return r.Solution.Set(line[:81]) == nil // ParseResults looks at the rules
}

// parseVerdict reads an answer without a solution.
func parseVerdict(r *solver.Result, line []byte) bool {
	switch {
	case string(line) == "none":
		r.Status = solver.None
	case string(line) == "timeout":
		r.Status = solver.Timeout
	case isInvalid(line):
		r.Status = solver.Invalid
	default:
		return false
	}
	return true
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

// ParseCounts appends the answers of a count reply to dst and returns the
// extended slice. The error says which line is not an answer; dst is then as it
// was.
func ParseCounts(dst []Count, body []byte) ([]Count, error) { return parse(dst, body, parseCount) }

func parseCount(c *Count, line []byte) bool {
	switch {
	case string(line) == "timeout":
		c.Status = solver.Timeout
		return true
	case isInvalid(line):
		c.Status = solver.Invalid
		return true
	}
	digits, atLeast := bytes.CutPrefix(line, []byte(">="))
	n, err := strconv.ParseUint(string(digits), 10, 62)
	if err != nil || atLeast && n == 0 {
		return false
	}
	limit := int(n)
	if !atLeast {
		limit++
	}
	*c = NewCount(int(n), limit)
	return true
}

// ParseSolutions appends the solutions of one message of an all reply to dst and
// returns the extended slice. The error says which line is not a solution of
// puzzle; dst is then as it was.
func ParseSolutions(dst []solver.Grid, body []byte, puzzle solver.Grid) ([]solver.Grid, error) {
	return parse(dst, body, func(g *solver.Grid, line []byte) bool {
		return g.Set(line) == nil && g.Complete() && g.Keeps(&puzzle)
	})
}

// parse appends what one reads from each line of body to dst. one gets a zero
// value to fill in.
func parse[T any](dst []T, body []byte, one func(*T, []byte) bool) ([]T, error) {
	all := dst
	for n := 1; len(body) > 0; n++ {
		line, rest := cutLine(body)
		var zero T
		all = append(all, zero)
		if !one(&all[len(all)-1], line) {
			return dst, notAnAnswer(n, line)
		}
		body = rest
	}
	return all, nil
}

func notAnAnswer(n int, line []byte) error {
	return fmt.Errorf("reply line %d: %q is not an answer", n, clip(string(line)))
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

// cutLine returns the first line of body without its LF or CRLF, and the rest.
func cutLine(body []byte) (line, rest []byte) {
	if i := bytes.IndexByte(body, '\n'); i >= 0 {
		line, rest = body[:i], body[i+1:]
	} else {
		line = body
	}
	return bytes.TrimSuffix(line, []byte("\r")), rest
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
