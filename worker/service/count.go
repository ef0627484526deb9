package service

import (
	"errors"

	"sudoku/solver"
	"sudoku/solver/wire"
)

// countSolutions answers a count request, whose puzzles are w.lines.
func (w *worker) countSolutions(_ request, b budget, limit int) reply {
	w.body = w.body[:0]
	var tally tally
	for _, line := range w.lines {
		count, reason := wire.Count{Status: solver.Invalid}, line.Err
		if reason == nil {
			count, reason = w.count(line.Grid, b, limit)
		}
		tally.add(count.Status)
		w.body = wire.AppendCount(w.body, count, reason)
	}
	return reply{body: w.body, failure: tally.failure()}
}

func (w *worker) count(g solver.Grid, b budget, limit int) (wire.Count, error) {
	d := b.left(b.puzzle)
	if d < 1 {
		return wire.Count{Status: solver.Timeout}, nil
	}
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
