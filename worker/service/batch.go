package service

import (
	"runtime"
	"runtime/debug"
	"time"

	"sudoku/solver"
	"sudoku/solver/wire"
)

// Requests to solve that wait at the same time are solved together, since many
// puzzles at once are several times cheaper than one after the other. A worker
// takes what is there and never waits for more, so that a request that finds a
// worker free is served as if there were no batches.
//
// A batch is one attempt with a short limit. A request is answered by it if it has
// all its answers. Any other one is served alone afterwards, by whichever worker is
// free first: one that takes long, one of a batch that ended in a panic, and one
// that is in a hurry or not in order.
const (
	maxBatch   = 256                  // puzzles, about; more would hardly be cheaper and wait for each other
	maxJoining = 32                   // puzzles of a request; a larger one is a batch of its own
	batchTime  = 5 * time.Millisecond // limit of the attempt; 256 of the hardest puzzles take about as long
	hurry      = 4 * batchTime        // a request with less time left does not join
)

// A member is a request of a batch under way.
type member struct {
	request
	lines    int // how many of worker.lines are its own
	answered bool
	reply    reply // if answered
	tally    tally // of the answers
}

// gather puts r into w.batch, and more requests if r may be solved together with
// others: up to this worker's share of those that wait.
func (w *worker) gather(r request) {
	w.batch = append(w.batch[:0], r)
	if r.alone {
		return
	}
	runtime.Gosched() // to the subscription, if it has more
	n := r.puzzles()
	for most := min(w.pool.share(n), maxBatch); n < most; n += r.puzzles() {
		var ok bool
		if r, ok = w.pool.takeMore(); !ok {
			return
		}
		w.batch = append(w.batch, r)
	}
}

// serveBatch answers the requests of w.batch that it can answer together, and
// leaves the others to be served alone. The time of each is its part of the time of
// all.
func (w *worker) serveBatch() {
	start := now()
	w.began(start, w.batch...)
	w.join()
	w.answerMembers()
	d := now() - start
	puzzles := max(len(w.lines), 1)
	w.pool.took(puzzles, d)
	for i := range w.members {
		m := &w.members[i]
		m.spent += d * time.Duration(m.lines) / time.Duration(puzzles)
		if !m.answered {
			w.setApart(m.request)
			continue
		}
		w.record(&m.request, start-m.at, &m.tally, &m.reply)
		w.trace(&m.request, start, m.lines, &m.reply)
		w.send(m.request, m.reply)
	}
	for _, r := range w.apart {
		w.serve(r)
	}
}

// join makes members of the requests of w.batch that may be.
func (w *worker) join() {
	w.lines, w.members, w.apart = w.lines[:0], w.members[:0], w.apart[:0]
	for _, r := range w.batch {
		lines, err := w.lines, error(nil)
		if unhurried(r) {
			lines, err = wire.ParseRequest(w.lines, r.Data)
		}
		if n := len(lines) - len(w.lines); n > 0 && err == nil {
			w.lines, w.members = lines, append(w.members, member{request: r, lines: n})
		} else {
			w.setApart(r)
		}
	}
}

// unhurried reports whether r is in order, apart from its body, and has the time for
// a batch.
func unhurried(r request) bool {
	terms, err := wire.ParseTerms(r.Subject, r.Header)
	return r.Reply != "" && err == nil && newBudget(r.at, terms.Timeout, hurry).share(1) >= hurry
}

// setApart lets r wait to be served alone, by this worker after the batch where no
// other can.
func (w *worker) setApart(r request) {
	r.alone = true
	if !w.pool.add(r) {
		w.apart = append(w.apart, r)
	}
}

// answerMembers solves the puzzles of all members. Those of which some have taken
// too long are not answered, and none if there is a panic.
func (w *worker) answerMembers() {
	defer func() {
		if p := recover(); p != nil {
			w.panics.Add(1)
			w.log.Error("panic in a batch of requests", "requests", len(w.members), "panic", p, "stack", string(debug.Stack()))
			for i := range w.members {
				w.members[i].answered = false
			}
		}
	}()
	w.pick()
	w.attempt(0, len(w.grids), min(batchTime, w.options.Timeout))
	w.body = w.body[:0]
	lines, results := w.lines, w.results
	for i := range w.members {
		m := &w.members[i]
		var a reply
		a, m.tally, results = w.appendSolved(lines[:m.lines], results)
		lines = lines[m.lines:]
		m.reply, m.answered = w.fit(a), m.tally[solver.Timeout] == 0
	}
}
