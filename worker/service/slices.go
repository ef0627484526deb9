package service

import (
	"context"
	"sync/atomic"
	"time"
)

// yielding is how long background searches give way to requests without a break.
const yielding = 100 * time.Millisecond

// Slices of background searches that wait for a worker.
type slices struct {
	waiting  chan func() // without a buffer: what waits is not begun, and can be taken back
	callers  atomic.Int32
	last     atomic.Int64 // ns of Unix time: when a slice last had its turn, or began to wait alone
	yielding time.Duration
}

func newSlices() slices { return slices{waiting: make(chan func()), yielding: yielding} }

// overdue returns a slice that has given way for long enough.
func (s *slices) overdue() (slice func(), ok bool) {
	if s.callers.Load() == 0 || time.Now().UnixNano()-s.last.Load() < int64(s.yielding) {
		return nil, false
	}
	select {
	case slice = <-s.waiting:
		s.taken()
		return slice, true
	default: // the caller is not there yet
		return nil, false
	}
}

func (s *slices) taken() { s.last.Store(time.Now().UnixNano()) }

// run has a worker call f, and returns when it has. The error is that of ctx,
// which ended before a worker was free.
func (s *slices) run(ctx context.Context, f func()) error {
	if s.callers.Add(1) == 1 {
		s.taken()
	}
	defer s.callers.Add(-1)
	done := make(chan struct{})
	select {
	case s.waiting <- func() { defer close(done); f() }:
		<-done
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
