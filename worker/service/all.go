package service

import (
	"fmt"
	"strconv"

	"github.com/nats-io/nats.go"

	"sudoku/solver"
	"sudoku/solver/wire"
)

// solutionLine is the length of a solution in a reply of all.
const solutionLine = 82

// pageSolutions is how many solutions a message of an all reply has at most:
// some 20 kB, which costs little more to send than a small message.
const pageSolutions = 256

// pageHeader is room for the header of such a message.
const pageHeader = 64

// all answers an all request, whose puzzle is w.lines[0].
func (w *worker) all(r request, b budget, limit int) error {
	if n := len(w.lines); n > 1 {
		return w.fail(r, &wire.Error{Code: wire.CodeBadRequest, Text: fmt.Sprintf("%d puzzles, all takes one a request", n)})
	}
	g, err := w.lines[0].Grid, w.lines[0].Err
	if err == nil {
		err = g.Check()
	}
	if err != nil {
		return w.end(r, 0, 0, &wire.Error{Code: wire.CodeBadRequest, Text: "invalid " + err.Error()})
	}
	page := min(pageSolutions, int(w.nc.MaxPayload()-pageHeader)/solutionLine)
	if page < 1 {
		return w.fail(r, w.tooLarge(make([]byte, solutionLine)))
	}
	ctx := w.limit.start(b.left(b.puzzle))
	defer w.limit.stop()
	n := 0
	w.body = w.body[:0]
	for s := range solver.All(ctx, g) {
		w.body = append(s.Append(w.body), '\n')
		n++
		if n%page == 0 || n == limit {
			if err := w.page(r, n); err != nil {
				return err
			}
		}
		if n == limit {
			return w.end(r, n, limit, nil)
		}
	}
	if len(w.body) > 0 {
		if err := w.page(r, n); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return w.end(r, n, 0, &wire.Error{Code: wire.CodeTimeout, Text: "timed out, there may be more solutions"})
	}
	return w.end(r, n, 0, nil)
}

// page sends the solutions in w.body, the last of which is the nth, and empties it.
func (w *worker) page(r request, n int) error {
	m := &nats.Msg{Subject: r.Reply, Header: nats.Header{wire.HeaderCount: {strconv.Itoa(n)}}, Data: w.body}
	w.body = w.body[:0]
	return w.publish(r, m)
}

// end sends the message that ends the reply to r, after n solutions. A limit
// above 0 is what ended it.
func (w *worker) end(r request, n, limit int, failure *wire.Error) error {
	h := nats.Header{}
	if failure != nil {
		h = failure.Header()
	}
	h[wire.HeaderCount] = []string{strconv.Itoa(n)}
	if limit > 0 {
		h[wire.HeaderLimit] = []string{strconv.Itoa(limit)}
	}
	if err := w.publish(r, &nats.Msg{Subject: r.Reply, Header: h}); err != nil {
		return err
	}
	return orNil(failure)
}
