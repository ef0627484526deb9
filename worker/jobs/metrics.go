package jobs

import (
	"sync"
	"time"

	"sudoku/solver"
	"sudoku/worker/times"
)

// Metrics are what [Jobs] has done since it began, and what it is doing.
type Metrics struct {
	Deliveries   [outcomes]uint64 // of chunks and manifests, by Outcome
	Redeliveries uint64           // of those, the ones of a message that had been delivered before
	Puzzles      [statuses]uint64 // whose answers are stored, by solver.Status
	Wait         times.Histogram  // from the delivery of a chunk until its search began
	Took         times.Histogram  // from the delivery of a chunk until its answers were stored and it was acknowledged
	InHand       int              // messages that are not acknowledged
	MostInHand   int              // how many there may be
}

const statuses = int(solver.Invalid) + 1

// An Outcome is how a delivery ended.
type Outcome uint8

// The outcomes. The package comment has a picture.
const (
	Done       Outcome = iota // its answers are stored
	Retried                   // it failed, and is delivered again after a time
	HandedBack                // this worker stops
	Dead                      // it is stored as a dead letter
	outcomes   = iota
)

func (o Outcome) String() string { return [...]string{"done", "retried", "handed_back", "dead"}[o] }

// accounts are the numbers that only go up.
type accounts struct {
	mu sync.Mutex
	Metrics
}

// add counts a delivery.
func (a *accounts) add(d *delivery, o Outcome) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.Deliveries[o]++
	if d.deliveries > 1 {
		a.Redeliveries++
	}
	if !d.begun.IsZero() {
		a.Wait.Add(d.begun.Sub(d.taken))
	}
	if o != Done {
		return
	}
	if !d.begun.IsZero() { // no manifest
		a.Took.Add(time.Since(d.taken))
	}
	for s, n := range d.puzzles {
		a.Puzzles[s] += n
	}
}

// Metrics returns the numbers at this moment.
func (j *Jobs) Metrics() Metrics {
	j.accounts.mu.Lock()
	defer j.accounts.mu.Unlock()
	m := j.accounts.Metrics
	m.InHand, m.MostInHand = j.pull.held(), j.pull.most
	return m
}
