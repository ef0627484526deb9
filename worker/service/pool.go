package service

import (
	"sync"
	"sync/atomic"
	"time"
)

// A pool has the requests that wait for a worker.
//
//	subscription ──▶ backlog ──▶ worker, several at a time
//	             ──▶ alone   ──▶ worker, one at a time
//	             ──▶ refused as busy, where the two are full
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
	idle    atomic.Int32 // of them, those that wait for something to do, or have ended
	pace    atomic.Int64 // ns that a worker takes for a puzzle, a moving average
	room    int64        // puzzles that may wait
	waiting atomic.Int64 // puzzles in the backlog and alone

	mu      sync.Mutex // held to put something into backlog or alone, or to close them
	closed  bool
	backlog chan request // those that may be solved together; has a place for each puzzle, and therefore for each request
	alone   chan request // those that may not; so has it
}

func newPool(size, room int) *pool {
	return &pool{backlog: make(chan request, room), alone: make(chan request, room), room: int64(room), size: size}
}

// add lets r wait and reports whether there was room.
func (p *pool) add(r request) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.waiting.Load() >= p.room {
		return false
	}
	p.waiting.Add(r.puzzles())
	if r.alone {
		p.alone <- r
	} else {
		p.backlog <- r
	}
	return true
}

// take returns the oldest request of the backlog or of those alone, or false when
// there will be no more. It waits for one.
func (p *pool) take() (r request, ok bool) {
	select {
	case r, ok = <-p.backlog:
	case r, ok = <-p.alone:
	default:
		r, ok = p.await()
	}
	if !ok {
		r, ok = p.rest()
	}
	if !ok {
		p.idle.Add(1)
		return request{}, false
	}
	p.waiting.Add(-r.puzzles())
	return r, true
}

// await is take where no request waits.
func (p *pool) await() (r request, ok bool) {
	p.idle.Add(1)
	defer p.idle.Add(-1)
	select {
	case r, ok = <-p.backlog:
	case r, ok = <-p.alone:
	}
	return r, ok
}

// rest is take when backlog and alone are closed.
func (p *pool) rest() (r request, ok bool) {
	if r, ok = <-p.backlog; !ok {
		r, ok = <-p.alone
	}
	return r, ok
}

// takeMore returns the oldest request of the backlog, or false where none waits.
func (p *pool) takeMore() (r request, ok bool) {
	select {
	case r, ok = <-p.backlog:
	default:
	}
	if ok {
		p.waiting.Add(-r.puzzles())
	}
	return r, ok
}

// share returns how many of n puzzles and those that wait are for one worker,
// so that the others have the same.
func (p *pool) share(n int64) int64 {
	return (n + p.waiting.Load() + int64(p.size) - 1) / int64(p.size)
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
	close(p.alone)
	p.mu.Unlock()
	p.workers.Wait()
}
