package service

import (
	"errors"

	"sudoku/solver"
	"sudoku/solver/wire"
)

// countAll answers a count request, whose puzzles are w.lines.
func (w *worker) countAll(r request, b budget, limit int) error {
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
	return w.send(r, w.body, tally.failure())
}

func (w *worker) count(g solver.Grid, b budget, limit int) (wire.Count, error) {
	d := b.left(b.puzzle)
	if d < 1 {
		return wire.Count{Status: solver.Timeout}, nil
	}
	ctx := w.limit.start(d)
	defer w.limit.stop()
	n, err := solver.Count(ctx, g, limit)
	switch {
	case err == nil:
		return wire.NewCount(n, limit), nil
	case errors.Is(err, solver.ErrTimeout):
		return wire.Count{Status: solver.Timeout}, nil
	default:
		return wire.Count{Status: solver.Invalid}, err
	}
}
