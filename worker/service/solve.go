package service

import (
	"time"

	"sudoku/solver"
	"sudoku/solver/wire"
)

// solvePuzzles answers a solve request, whose puzzles are w.lines.
func (w *worker) solvePuzzles(_ request, b budget, _ int) reply {
	w.pick()
	w.search(b)
	w.body = w.body[:0]
	var tally tally
	next := 0
	for _, line := range w.lines {
		result, reason := solver.Result{Status: solver.Invalid}, line.Err
		if reason == nil {
			result = w.results[next]
			if result.Status == solver.Invalid {
				reason = line.Grid.Check()
			}
			next++
		}
		tally.add(result.Status)
		w.body = wire.AppendResult(w.body, result, reason)
	}
	return reply{body: w.body, failure: tally.failure()}
}

// pick puts the lines that are grids into w.grids, with results of the same
// length.
func (w *worker) pick() {
	w.grids = w.grids[:0]
	for _, line := range w.lines {
		if line.Err == nil {
			w.grids = append(w.grids, line.Grid)
		}
	}
	w.results = append(w.results[:0], make([]solver.Result, len(w.grids))...)
}

// The limits of the first rounds of a search. A batch of 4096 ordinary puzzles
// takes some 20 ms.
const (
	batchLimit = 250 * time.Millisecond // of the whole batch, in the first round
	firstLimit = 50 * time.Millisecond  // of one puzzle, in the second round
	nextLimit  = 10                     // times that of the round before, in the others
)

// search solves w.grids into w.results within b. Each puzzle has a time limit
// of its own, but a timer for each would cost more than most searches. So all
// are solved together first; those that this leaves over are then solved one
// by one, in rounds with a growing limit, so that a hard puzzle does not take
// the time that easy ones behind it could use before the deadline.
func (w *worker) search(b budget) {
	if len(w.grids) == 1 {
		w.attempt(0, 1, b.left(b.puzzle))
		return
	}
	w.attempt(0, len(w.grids), b.left(min(batchLimit, b.puzzle)))
	for limit := min(firstLimit, b.puzzle); w.round(limit, b) && limit < b.puzzle; {
		limit = min(limit*nextLimit, b.puzzle)
	}
}

// round gives each puzzle without an answer so far up to limit. It reports
// whether there are still some, and time for them.
func (w *worker) round(limit time.Duration, b budget) bool {
	again := false
	for i := range w.results {
		if w.results[i].Status != solver.Timeout {
			continue
		}
		d := b.left(limit)
		if d < 1 || w.ctx.Err() != nil {
			return false
		}
		w.attempt(i, i+1, d)
		again = again || w.results[i].Status == solver.Timeout
	}
	return again
}

// attempt solves the grids from i up to j together within d.
func (w *worker) attempt(i, j int, d time.Duration) {
	w.limit.start(d)
	defer w.limit.stop()
	w.solve(w.limit, w.results[i:j], w.grids[i:j])
}

// A tally counts how puzzles ended, to see whether they all failed alike.
type tally struct {
	puzzles, invalid, timeout int
}

func (t *tally) add(s solver.Status) {
	t.puzzles++
	switch s {
	case solver.Invalid:
		t.invalid++
	case solver.Timeout:
		t.timeout++
	}
}

// failure returns the failure of a request of which no puzzle was answered.
func (t tally) failure() *wire.Error {
	switch t.puzzles {
	case t.invalid:
		return &wire.Error{Code: wire.CodeBadRequest, Text: "every puzzle is invalid"}
	case t.timeout:
		return &wire.Error{Code: wire.CodeTimeout, Text: "every puzzle timed out"}
	}
	return nil
}
