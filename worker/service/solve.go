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
	a, tally, _ := w.appendSolved(w.lines, w.results)
	w.tally = tally
	return a
}

// appendSolved appends the answers to lines to w.body, and returns the reply with
// them and their tally. The first results are those of the lines that are grids; it
// returns the rest of them too.
func (w *worker) appendSolved(lines []wire.Line, results []solver.Result) (reply, tally, []solver.Result) {
	from := len(w.body)
	var t tally
	for i := range lines {
		result, reason := &invalid, lines[i].Err
		if reason == nil {
			result, results = &results[0], results[1:]
			if result.Status == solver.Invalid {
				reason = lines[i].Grid.Check()
			}
		}
		t[result.Status]++
		w.body = wire.AppendResult(w.body, *result, reason)
	}
	return reply{body: w.body[from:], failure: t.failure()}, t, results
}

// invalid is the result of a line that is not a grid.
var invalid = solver.Result{Status: solver.Invalid}

// pick puts the lines that are grids into w.grids, with results of the same
// length.
func (w *worker) pick() {
	w.grids = w.grids[:0]
	for i := range w.lines {
		if line := &w.lines[i]; line.Err == nil {
			w.grids = append(w.grids, line.Grid)
		}
	}
	w.results = append(w.results[:0], make([]solver.Result, len(w.grids))...)
}

// batchLimit is the time for the first attempt at a batch. 4096 ordinary puzzles
// take some 20 ms.
const batchLimit = 250 * time.Millisecond

// search solves w.grids into w.results within b. Each puzzle has a time limit
// of its own, but a timer for each would cost more than most searches. So all
// are solved together first, and only those left over one by one, in rounds: a
// puzzle that takes for ever must not take the time of those behind it.
func (w *worker) search(b budget) {
	n := len(w.grids)
	if n == 1 {
		w.attempt(0, 1, b.share(1))
		return
	}
	w.attempt(0, n, min(batchLimit, b.share(2)))
	for w.round(b) {
	}
}

// round solves each puzzle without an answer so far, within its share of the
// time that is left. It reports whether another round may find more: whether
// there are puzzles that had less than the limit for a puzzle, and time for
// them.
func (w *worker) round(b budget) bool {
	again := false
	left := w.unanswered()
	for i := range w.results {
		if w.results[i].Status != solver.Timeout {
			continue
		}
		d := b.share(left)
		if d < 1 || w.ctx.Err() != nil {
			return false
		}
		w.attempt(i, i+1, d)
		again = again || d < b.puzzle && w.results[i].Status == solver.Timeout
		left--
	}
	return again
}

func (w *worker) unanswered() int {
	n := 0
	for _, r := range w.results {
		if r.Status == solver.Timeout {
			n++
		}
	}
	return n
}

// attempt solves the grids from i up to j together within d.
func (w *worker) attempt(i, j int, d time.Duration) {
	w.limit.start(d)
	defer w.limit.stop()
	w.solve(w.limit, w.results[i:j], w.grids[i:j])
}

// A tally counts how puzzles ended, by solver.Status.
type tally [statuses]uint64

// failure returns the failure of a request of which no puzzle was answered.
func (t *tally) failure() *wire.Error {
	puzzles := uint64(0)
	for _, n := range t {
		puzzles += n
	}
	switch puzzles {
	case t[solver.Invalid]:
		return &wire.Error{Code: wire.CodeBadRequest, Text: "every puzzle is invalid"}
	case t[solver.Timeout]:
		return &wire.Error{Code: wire.CodeTimeout, Text: "every puzzle timed out"}
	}
	return nil
}
