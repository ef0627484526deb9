package jobs

import (
	"slices"

	"sudoku/solver"
	"sudoku/solver/wire"
)

// A desk has what is needed to solve a chunk, which is used for one after
// another: 100 kB each would keep the garbage collector busy, for whose work
// requests wait.
type desk struct {
	lines   []wire.JobLine
	grids   []solver.Grid   // of the lines that are grids
	results []solver.Result // of grids
	body    []byte          // of the result
}

// read takes the lines of a chunk, whose memory they share.
func (k *desk) read(body []byte) (err error) {
	k.lines, k.grids, err = wire.ParseJob(k.lines[:0], k.grids[:0], body)
	k.results = slices.Grow(k.results[:0], len(k.grids))[:len(k.grids)]
	return err
}

// write puts the answers into the body, and counts them.
func (k *desk) write(puzzles *[statuses]uint64) {
	k.body = k.body[:0]
	invalid := solver.Result{Status: solver.Invalid}
	next := 0 // of grids
	for _, line := range k.lines {
		g, r, reason := (*solver.Grid)(nil), &invalid, line.Err
		if reason == nil {
			g, r = &k.grids[next], &k.results[next]
			next++
			if r.Status == solver.Invalid {
				reason = g.Check()
			}
		}
		puzzles[r.Status]++
		k.body = wire.AppendJobResult(k.body, line, g, r, reason)
	}
}
