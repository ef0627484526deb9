package service

import (
	"errors"
	"time"

	"sudoku/solver"
	"sudoku/solver/wire"
)

// countSolutions answers a count request, whose puzzles are w.lines.
func (w *worker) countSolutions(_ request, b budget, limit int) reply {
	w.body = w.body[:0]
	for i, line := range w.lines {
		count, reason := wire.Count{Status: solver.Invalid}, line.Err
		if reason == nil {
			count, reason = w.count(line.Grid, b.share(len(w.lines)-i), limit)
		}
		w.tally[count.Status]++
		w.body = wire.AppendCount(w.body, count, reason)
	}
	return reply{body: w.body, failure: w.tally.failure()}
}

// count counts the solutions of g within d.
func (w *worker) count(g solver.Grid, d time.Duration, limit int) (wire.Count, error) {
	w.limit.start(d)
	defer w.limit.stop()
	n, err := solver.Count(w.limit, g, limit)
	switch {
	case err == nil:
		return wire.NewCount(n, limit), nil
	case errors.Is(err, solver.ErrTimeout):
		return wire.Count{Status: solver.Timeout}, nil
	default:
		return wire.Count{Status: solver.Invalid}, err
	}
}
