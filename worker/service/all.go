package service

import (
	"strconv"

	"github.com/nats-io/nats.go"

	"sudoku/solver"
	"sudoku/solver/wire"
)

// solutionLine is the length of a solution in a reply of all, and of a puzzle.
const solutionLine = 82

// maxPage is how many solutions a message of an all reply has at most: some
// 20 kB, which costs little more to send than a small message.
const maxPage = 256

// allSolutions answers an all request, whose puzzle is w.lines[0].
func (w *worker) allSolutions(r request, b budget, limit int) reply {
	if n := len(w.lines); n > 1 {
		return rejected(Malformed, wire.CodeBadRequest, "%d puzzles, all takes one a request", n)
	}
	g, err := w.lines[0].Grid, w.lines[0].Err
	if err == nil {
		err = g.Check()
	}
	if err != nil {
		w.tally[solver.Invalid]++
		return failed(wire.CodeBadRequest, "invalid %v", err)
	}
	return w.pages(r, g, b, limit)
}

// pages sends the solutions of g, and returns the end.
func (w *worker) pages(r request, g solver.Grid, b budget, limit int) reply {
	page := max(1, min(maxPage, (int(w.nc.MaxPayload())-headerRoom)/solutionLine))
	w.limit.start(b.share(1))
	defer w.limit.stop()
	n := 0
	w.body = w.body[:0]
	for s := range solver.All(w.limit, g) {
		w.body = append(s.Append(w.body), '\n')
		if n++; n%page == 0 {
			if err := w.page(r, n); err != nil {
				return failed(wire.CodeInternal, "%v", err)
			}
		}
		if n == limit {
			break
		}
	}
	if err := w.page(r, n); err != nil {
		return failed(wire.CodeInternal, "%v", err)
	}
	switch {
	case n == limit:
		w.tally[wire.NewCount(n, limit).Status]++
		return counted(n, reply{header: nats.Header{wire.HeaderLimit: {strconv.Itoa(limit)}}})
	case w.limit.Err() != nil:
		w.tally[solver.Timeout]++
		return counted(n, failed(wire.CodeTimeout, "timed out, there may be more solutions"))
	default:
		w.tally[wire.NewCount(n, limit).Status]++
		return counted(n, reply{})
	}
}

// page sends the solutions in w.body, if any, the last of which is the nth.
func (w *worker) page(r request, n int) error {
	if len(w.body) == 0 {
		return nil
	}
	a := counted(n, reply{body: w.body})
	w.body = w.body[:0]
	return w.send(r, a)
}

// counted returns a with the header that says that n solutions have been sent.
func counted(n int, a reply) reply {
	if a.header == nil {
		a.header = nats.Header{}
	}
	a.header[wire.HeaderCount] = []string{strconv.Itoa(n)}
	return a
}
