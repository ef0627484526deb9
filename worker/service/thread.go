package service

import (
	"sync"
	"time"

	"sudoku/solver"
)

// What a slot does after requests.
const (
	giveWay = 20 * time.Millisecond  // so long it does no background search
	lately  = 500 * time.Millisecond // so long it is not idle, if people wait for such requests
)

// People wait for requests of so few puzzles. A stream of puzzles, which is sent for
// its rate, has parts of any size, but hardly three so small within half a second.
const fewPuzzles = 2

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

// began takes note that w answers requests from now on.
func (w *worker) began(now time.Duration, requests ...request) {
	w.served.Store(int64(now))
	for i := range requests {
		if requests[i].puzzles() <= fewPuzzles {
			w.recent = [...]time.Duration{w.recent[1], w.recent[2], now}
			w.awaited.Store(int64(w.recent[0]))
		}
	}
}

// unserved returns how long ago w began with its last request.
func (w *worker) unserved() time.Duration { return now() - time.Duration(w.served.Load()) }

// idle reports whether w has had no request lately.
func (w *worker) idle() bool {
	return w.unserved() >= giveWay && now()-time.Duration(w.awaited.Load()) >= lately
}

// Idle returns how many slots have had no request lately, of Options.Concurrency.
func (s *Service) Idle() (n int) {
	for _, w := range s.slots {
		if w.idle() {
			n++
		}
	}
	return n
}

// quiet reports whether there were no requests lately.
func (s *Service) quiet() bool { return s.Idle() == len(s.slots) }
