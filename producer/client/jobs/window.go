package jobs

import (
	"sync"
	"time"
)

// A window is how many chunks may be under way to JetStream. It is as large as the
// way there takes, and a few more, which wait for the server: with many of them
// nothing would be stored any sooner, and whatever else the server has to do would
// wait as well, such as requests. How many wait it knows from the time that an
// acknowledgement takes beyond the shortest of late. (This is the congestion
// avoidance of TCP Vegas: Brakmo and Peterson, 1995.)
type window struct {
	mu    sync.Mutex
	exact float64
	base  [2]time.Duration // the shortest times, of this period and of the one before; 0 where there is none
	since time.Time        // this period
}

const (
	firstWindow = 8
	leastWindow = 2
	mostWindow  = 64

	fewWait  = 2 // the window grows
	manyWait = 4 // it shrinks

	basePeriod = 10 * time.Second // another leader of the stream may be farther away
)

func newWindow() *window { return &window{exact: firstWindow} }

// size returns how many chunks may be under way.
func (w *window) size() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return int(w.exact)
}

// stored takes note that the acknowledgement of a chunk came at a time, and how
// long it took.
func (w *window) stored(at time.Time, took time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if at.Sub(w.since) >= basePeriod {
		w.base = [2]time.Duration{0, w.base[0]}
		w.since = at
	}
	if w.base[0] == 0 || took < w.base[0] {
		w.base[0] = took
	}
	base := w.base[0]
	if w.base[1] > 0 {
		base = min(base, w.base[1])
	}
	wait := w.exact * float64(took-base) / float64(max(took, 1))
	switch {
	case wait < fewWait:
		w.exact = min(w.exact+1/w.exact, mostWindow)
	case wait > manyWait:
		w.exact = max(w.exact-1/w.exact, leastWindow)
	}
}
