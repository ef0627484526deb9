package jobs

import (
	"slices"

	"sudoku/solver"
	"sudoku/solver/wire"
)

// A desk has what is needed to solve a chunk, which is used for one after
// another: 150 kB each would keep the garbage collector busy, for whose work
// requests wait.
type desk struct {
	lines   []wire.JobLine
	grids   []solver.Grid   // of the lines that are grids
	results []solver.Result // of grids
	body    []byte          // of the result
}

// read takes the lines of a chunk, whose memory they share.
func (k *desk) read(body []byte) (err error) {
	k.lines, err = wire.ParseJob(k.lines[:0], body)
	k.grids = k.grids[:0]
	for i := range k.lines {
		if k.lines[i].Err == nil {
			k.grids = append(k.grids, k.lines[i].Grid)
		}
	}
	k.results = slices.Grow(k.results[:0], len(k.grids))[:len(k.grids)]
	clear(k.results)
	return err
}

// write puts the answers into the body, and counts them.
func (k *desk) write(puzzles *[statuses]uint64) {
	k.body = slices.Grow(k.body[:0], len(k.lines)*roomForResult)
	results := k.results
	for i := range k.lines {
		line := &k.lines[i]
		r, reason := solver.Result{Status: solver.Invalid}, line.Err
		if reason == nil {
			r, results = results[0], results[1:]
			if r.Status == solver.Invalid {
				reason = line.Grid.Check()
			}
		}
		puzzles[r.Status]++
		k.body = wire.AppendJobResult(k.body, *line, r, reason)
	}
}

// roomForResult is what a line of a result takes, with a short note.
const roomForResult = 192
