package service

import (
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// accounts are the numbers of an endpoint. Each worker has a book of its own, so
// that workers neither wait for each other nor take the memory out of each other's
// caches.
type accounts struct {
	shared book // of what no worker has to do with

	mu    sync.Mutex
	books []*book
	last  string // the latest error
}

// A book is a part of the numbers.
type book struct {
	mu sync.Mutex
	EndpointMetrics
}

// book returns a new book.
func (a *accounts) book() *book {
	a.mu.Lock()
	defer a.mu.Unlock()
	b := new(book)
	a.books = append(a.books, b)
	return b
}

// record counts in b a request that waited and then took some time, the puzzles in
// it, and how it ended.
func (a *accounts) record(b *book, wait, took time.Duration, puzzles *tally, r *reply) {
	b.mu.Lock()
	b.Wait.Add(wait)
	b.Took.Add(took)
	for s, n := range *puzzles {
		b.Puzzles[s] += n
	}
	b.end(r)
	b.mu.Unlock()
	if r.failure != nil {
		a.failed(r.failure)
	}
}

// recordRefused counts a request that no worker took.
func (a *accounts) recordRefused(r *reply) {
	a.shared.mu.Lock()
	a.shared.end(r)
	a.shared.mu.Unlock()
	a.failed(r.failure)
}

// end counts how a request ended. The lock is held.
func (b *book) end(r *reply) {
	b.Requests[outcome(r.failure)]++
	if r.rejected != NotRejected {
		b.Rejected[r.rejected]++
	}
}

// recordLost counts a reply that could not be sent to a request that is counted
// already.
func (a *accounts) recordLost(err error) {
	a.shared.mu.Lock()
	a.shared.Lost++
	a.shared.mu.Unlock()
	a.failed(err)
}

func (a *accounts) failed(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.last = err.Error()
}

func (a *accounts) lastError() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.last
}

// sum returns the numbers of this moment; the messages dropped are those of sub.
func (a *accounts) sum(sub *nats.Subscription) EndpointMetrics {
	a.mu.Lock()
	defer a.mu.Unlock()
	if n, err := sub.Dropped(); err == nil { // once closed it does not say
		a.shared.mu.Lock()
		a.shared.Dropped = uint64(n)
		a.shared.mu.Unlock()
	}
	sum := a.shared.read()
	for _, b := range a.books {
		sum.add(b.read())
	}
	return sum
}

func (b *book) read() EndpointMetrics {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.EndpointMetrics
}

// add adds o to m.
func (m *EndpointMetrics) add(o EndpointMetrics) {
	for i, n := range o.Requests {
		m.Requests[i] += n
	}
	for i, n := range o.Rejected {
		m.Rejected[i] += n
	}
	for i, n := range o.Puzzles {
		m.Puzzles[i] += n
	}
	m.Wait.Merge(&o.Wait)
	m.Took.Merge(&o.Took)
	m.Lost += o.Lost
	m.Dropped += o.Dropped
}
