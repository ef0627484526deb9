package service

import (
	"sync"
	"time"

	"sudoku/solver"
)

// giveWay is how long a slot does no background search after a request.
const giveWay = 20 * time.Millisecond

// A thread does background searches, one at a time. There is one in each slot,
// beside the worker that answers requests, and one for puzzles that take long.
// Those of the slots but the first give way to the worker.
type thread struct {
	*Service
	work   <-chan *background
	beside *worker // nil where it gives way to none

	grids   []solver.Grid // of the slice
	results []solver.Result
}

// run does what comes until the service ends.
func (t *thread) run() {
	lower := sync.OnceFunc(lowerPriority)
	for t.ctx.Err() == nil {
		if d := t.pause(); d > 0 {
			t.sleep(d)
			continue
		}
		select {
		case b := <-t.work:
			lower()
			t.searching.Add(1)
			err := b.turn(t)
			t.searching.Add(-1)
			b.done <- err
		case <-t.ctx.Done():
		}
	}
}

func (t *thread) sleep(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-t.ctx.Done():
	}
}

// pause returns how long t gives way from now on.
func (t *thread) pause() time.Duration {
	if t.beside == nil {
		return 0
	}
	return giveWay - t.beside.unserved()
}

func (t *thread) givesWay() bool { return t.pause() > 0 }
