package service

import (
	"sync"
	"sync/atomic"
	"time"
)

// A pool has the requests that wait for a worker.
//
//	subscription ──▶ backlog ──▶ worker
//	             ──▶ refused as busy, where the backlog is full
//
// The goroutines of the subscriptions, one each, do nothing but fill the
// backlog, so that they can always refuse what is too much. Of the ways to hand
// messages to workers this one took the least CPU time under load: 1.9 µs more
// than an echo, of which the search was 1.2, because a worker that finds the
// next request in the channel does not sleep. An unbuffered channel took 2.3;
// workers that take turns at receiving and answer themselves 4.8, for waking the
// next one. For a request alone they were within 1 µs of each other. (Two CPUs of
// an AMD EPYC, BenchmarkPipelined and BenchmarkLatency, CPU time of the process.)
//
// Nothing in the backlog is lost at the end, although the subscriptions do not
// know of it: close waits for the workers, and they work it off.
type pool struct {
	workers sync.WaitGroup
	size    int          // workers
	pace    atomic.Int64 // ns that a worker takes for a puzzle, a moving average
	room    int64        // puzzles that may wait
	waiting atomic.Int64 // puzzles in the backlog

	mu      sync.Mutex // held to put something into backlog, or to close it
	closed  bool
	backlog chan request // has a place for each puzzle, and therefore for each request
}

func newPool(size, room int) *pool {
	return &pool{backlog: make(chan request, room), room: int64(room), size: size}
}

// add puts r into the backlog and reports whether there was room.
func (p *pool) add(r request) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.waiting.Load() >= p.room {
		return false
	}
	p.waiting.Add(r.puzzles())
	p.backlog <- r
	return true
}

// take returns the oldest request; or false when there will be no more. It
// waits for one of the two.
func (p *pool) take() (request, bool) {
	r, ok := <-p.backlog
	if ok {
		p.waiting.Add(-r.puzzles())
	}
	return r, ok
}

// took takes note that n puzzles took a worker d. Where two workers do so at
// the same time, one of them may not count.
func (p *pool) took(n int, d time.Duration) {
	pace := p.pace.Load()
	p.pace.Store(pace + (int64(d)/int64(n)-pace)/8)
}

// retryAfter estimates how long the pool takes for half of what waits.
func (p *pool) retryAfter() time.Duration {
	d := p.pace.Load() * p.waiting.Load() / int64(2*p.size)
	return min(max(time.Duration(d), minRetry), maxRetry)
}

// Bounds of the estimate, which knows little when puzzles are of all kinds.
const (
	minRetry = time.Millisecond
	maxRetry = 10 * time.Second
)

// close returns when the workers have answered what waits. What is added later
// is refused.
func (p *pool) close() {
	p.mu.Lock()
	p.closed = true
	close(p.backlog)
	p.mu.Unlock()
	p.workers.Wait()
}
