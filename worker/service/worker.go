package service

import (
	"bytes"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/nats-io/nats.go"

	"sudoku/solver"
	"sudoku/solver/wire"
)

// A worker is one goroutine of the pool, with buffers that it uses for one
// request after another.
type worker struct {
	*Service
	limit   *limit
	lines   []wire.Line
	grids   []solver.Grid
	results []solver.Result
	body    []byte
}

func newWorker(s *Service) *worker { return &worker{Service: s, limit: newLimit(s.ctx)} }

// run answers requests until the pool has no more.
func (w *worker) run() {
	defer w.limit.close()
	for {
		r, ok := w.pool.receive(w.refuse)
		if !ok {
			return
		}
		for ok {
			n, d := w.serve(r)
			r, ok = w.pool.done(n, d)
		}
	}
}

// refuse answers a request for which there is no room.
func (w *worker) refuse(r request, after time.Duration) {
	err := w.fail(r, &wire.Error{Code: wire.CodeBusy, Text: "busy: the backlog of this worker is full", RetryAfter: after})
	w.endpoint(r).record(0, err)
}

// serve answers r, and returns how many puzzles it had and the time they took.
func (w *worker) serve(r request) (puzzles int, d time.Duration) {
	start := time.Now()
	err := w.answer(r)
	d = time.Since(start)
	w.endpoint(r).record(d, err)
	return max(len(w.lines), 1), d
}

func (w *worker) endpoint(r request) *endpoint {
	for _, e := range w.endpoints {
		if e.subject == r.Subject {
			return e
		}
	}
	panic("service: a message of no endpoint")
}

// errNoReply is a request that nobody waits for.
var errNoReply = errors.New("request without a reply subject")

// answer answers r and returns why that failed, nil if it did not.
func (w *worker) answer(r request) (err error) {
	defer func() {
		if p := recover(); p != nil {
			w.log.Error("panic in a request", "subject", r.Subject, "panic", p, "stack", string(debug.Stack()))
			err = w.fail(r, &wire.Error{Code: wire.CodeInternal, Text: "the worker failed, its log says how"})
		}
	}()
	w.lines = w.lines[:0]
	if r.Reply == "" {
		return errNoReply
	}
	terms, err := wire.ParseTerms(r.Subject, r.Header)
	if err != nil {
		return w.fail(r, err)
	}
	b := w.budget(r.at, terms.Timeout)
	if b.over() {
		return w.fail(r, &wire.Error{Code: wire.CodeTimeout, Text: fmt.Sprintf("too late: waited %v for its turn", time.Since(r.at).Round(time.Millisecond))})
	}
	w.lines, err = wire.ParseRequest(w.lines, r.Data)
	if err != nil {
		return w.fail(r, err)
	}
	switch r.Subject {
	case wire.SubjectSolve:
		return w.solveAll(r, b)
	case wire.SubjectCount:
		return w.countAll(r, b, terms.Limit)
	default:
		return w.all(r, b, terms.Limit)
	}
}

// fail replies that r failed as a whole, and returns err or that the reply
// could not be sent.
func (w *worker) fail(r request, err error) error {
	if r.Reply == "" {
		return errNoReply
	}
	var e *wire.Error
	if !errors.As(err, &e) {
		panic(err) // package wire returns no other
	}
	return w.send(r, nil, e)
}

// send replies to r with body, and with the headers of failure if that is not
// nil. It returns what went wrong: failure, or else that body is too large or
// that the connection did not take it.
func (w *worker) send(r request, body []byte, failure *wire.Error) error {
	m := nats.Msg{Subject: r.Reply, Data: body}
	if failure != nil {
		m.Header = failure.Header()
	}
	err := w.publish(r, &m)
	switch {
	case errors.Is(err, nats.ErrMaxPayload) && len(body) > 0:
		return w.send(r, nil, w.tooLarge(body))
	case err != nil:
		return err
	}
	return orNil(failure)
}

func (w *worker) publish(r request, m *nats.Msg) error {
	if err := w.nc.PublishMsg(m); err != nil {
		return fmt.Errorf("replying to %s: %w", r.Subject, err)
	}
	return nil
}

// tooLarge returns the failure of a request whose reply is body, which the
// server does not take: it would close the connection.
func (w *worker) tooLarge(body []byte) *wire.Error {
	most := min(w.nc.MaxPayload(), int64(len(body)))
	return &wire.Error{Code: wire.CodeTooLarge, Text: fmt.Sprintf(
		"reply of %d bytes, the server takes %d: send %d puzzles at most", len(body), most, bytes.Count(body[:most], []byte("\n")))}
}

// orNil turns a nil failure into a nil error.
func orNil(failure *wire.Error) error {
	if failure == nil {
		return nil
	}
	return failure
}
