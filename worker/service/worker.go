package service

import (
	"errors"
	"runtime/debug"
	"sync/atomic"
	"time"

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
	tally   tally     // of the answers to a request that is served alone
	batch   []request // those taken together
	members []member  // of batch, those that are solved together
	apart   []request // of batch, those that are left to this worker
	books   []*book   // of the accounts, by index of the endpoint

	served  atomic.Int64     // when it last began to answer, see now
	awaited atomic.Int64     // when it began with recent[0]
	recent  [3]time.Duration // when it began with the last requests that people wait for
}

func newWorker(s *Service) *worker {
	w := &worker{Service: s, limit: newLimit(s.ctx)}
	never := now() - lately
	w.served.Store(int64(never))
	w.awaited.Store(int64(never))
	w.recent = [...]time.Duration{never, never, never}
	for _, e := range s.endpoints {
		w.books = append(w.books, e.accounts.book())
	}
	return w
}

// run answers requests until there will be no more.
func (w *worker) run() {
	defer w.limit.close()
	for r, ok := w.pool.take(); ok; r, ok = w.pool.take() {
		if w.gather(r); len(w.batch) > 1 {
			w.serveBatch()
		} else {
			w.serve(r)
		}
	}
}

// serve answers r alone. It keeps the accounts first, so that who has the answer
// finds it counted.
func (w *worker) serve(r request) {
	start := now()
	w.began(start, r)
	a := w.fit(w.guarded(r))
	d := now() - start
	wait := start - r.at - r.spent
	r.spent += d
	w.record(&r, wait, &w.tally, &a)
	w.pool.took(max(len(w.lines), 1), d)
	w.trace(&r, start, len(w.lines), &a)
	w.send(r, a)
}

// record counts r in w's accounts.
func (w *worker) record(r *request, wait time.Duration, puzzles *tally, a *reply) {
	r.endpoint.accounts.record(w.books[r.endpoint.index], wait, r.spent, puzzles, a)
}

// guarded is answer, with a panic turned into a failure.
func (w *worker) guarded(r request) (a reply) {
	defer func() {
		if p := recover(); p != nil {
			w.log.Error("panic in a request", "subject", r.Subject, "panic", p, "stack", string(debug.Stack()))
			w.panics.Add(1)
			w.tally = tally{}
			a = failed(wire.CodeInternal, "the worker failed, its log says how")
		}
	}()
	return w.answer(r)
}

// answer does what can be done without regard to the subject.
func (w *worker) answer(r request) reply {
	w.lines = w.lines[:0]
	w.tally = tally{}
	if r.Reply == "" {
		return rejected(NoReply, wire.CodeBadRequest, "request without a reply subject")
	}
	terms, err := wire.ParseTerms(r.Subject, r.Header)
	if err != nil {
		return refused(err)
	}
	b := newBudget(r.at, terms.Timeout, w.options.Timeout)
	if b.over() {
		return rejected(Late, wire.CodeTimeout, "too late: the request waited %v for its turn", (now() - r.at).Round(time.Millisecond))
	}
	w.lines, err = wire.ParseRequest(w.lines, r.Data)
	if err != nil {
		return refused(err)
	}
	return r.endpoint.answer(w, r, b, terms.Limit)
}

// refused returns the reply that says err, which comes from package wire.
func refused(err error) reply {
	var e *wire.Error
	if !errors.As(err, &e) {
		panic(err)
	}
	if e.Code == wire.CodeTooLarge {
		return reply{failure: e, rejected: Oversized}
	}
	return reply{failure: e, rejected: Malformed}
}
