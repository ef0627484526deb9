package service

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"sudoku/solver/wire"
)

// An answer finds the reply to r, whose puzzles are w.lines.
type answer func(w *worker, r request, b budget, limit int) reply

// An endpoint is one of the subjects, how it is answered, and what happened on
// it.
type endpoint struct {
	name     string
	subject  string
	answer   answer
	together bool // whether requests may be solved together

	sub    *nats.Subscription
	closed <-chan struct{} // closed, by close, when sub delivers nothing any more
	close  func()

	mu       sync.Mutex
	requests int
	errors   int
	busy     int           // of errors, those refused
	dropped  int           // messages, before they were counted as requests
	time     time.Duration // of all requests
	last     string        // the latest error
}

func newEndpoints() []*endpoint {
	solve := newEndpoint("solve", wire.SubjectSolve, (*worker).solvePuzzles)
	solve.together = true
	return []*endpoint{
		solve,
		newEndpoint("count", wire.SubjectCount, (*worker).countSolutions),
		newEndpoint("all", wire.SubjectAll, (*worker).allSolutions),
	}
}

func newEndpoint(name, subject string, answer answer) *endpoint {
	closed := make(chan struct{})
	return &endpoint{name: name, subject: subject, answer: answer, closed: closed, close: sync.OnceFunc(func() { close(closed) })}
}

// Limits of what the connection has read and the subscription not yet taken.
// They bound the memory of a process that is flooded while the searches have all
// its CPU time: the subscription then comes to refuse 50,000 requests a second.
// What is beyond is dropped, and the requester has to repeat it.
const (
	maxUnread      = 1 << 17  // messages, some 1 kB each in memory
	maxUnreadBytes = 64 << 20 // bytes
)

// subscribe gives requests to take as they arrive.
func (e *endpoint) subscribe(nc *nats.Conn, take func(request)) error {
	sub, err := nc.QueueSubscribe(e.subject, wire.QueueGroup, func(m *nats.Msg) { take(newRequest(e, m)) })
	if err != nil {
		return fmt.Errorf("subscribing to %s: %w", e.subject, err)
	}
	e.sub = sub
	sub.SetClosedHandler(func(string) { e.close() })
	return sub.SetPendingLimits(maxUnread, maxUnreadBytes)
}

// drain asks the server for no more messages; e.closed says when the last one
// has been taken. A connection that is away has none to give.
func (e *endpoint) drain(nc *nats.Conn) {
	if nc.IsConnected() && e.sub.Drain() == nil {
		return
	}
	if e.sub.Unsubscribe() != nil {
		e.close()
	}
}

// awaitClosed returns when the subscription is closed, by force when ctx ends.
func (e *endpoint) awaitClosed(ctx context.Context) {
	select {
	case <-e.closed:
	case <-ctx.Done():
		e.sub.Unsubscribe()
	}
}

// record counts a request that took d, and its failure, if not nil.
func (e *endpoint) record(d time.Duration, failure *wire.Error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.requests++
	e.time += d
	if failure == nil {
		return
	}
	e.errors++
	e.last = failure.Error()
	if failure.Code == wire.CodeBusy {
		e.busy++
	}
}

// recordError counts an error of a request that is counted already.
func (e *endpoint) recordError(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.errors++
	e.last = err.Error()
}

func (e *endpoint) info() micro.EndpointInfo {
	return micro.EndpointInfo{Name: e.name, Subject: e.subject, QueueGroup: wire.QueueGroup}
}

func (e *endpoint) stats() *micro.EndpointStats {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := &micro.EndpointStats{
		Name:           e.name,
		Subject:        e.subject,
		QueueGroup:     wire.QueueGroup,
		NumRequests:    e.requests,
		NumErrors:      e.errors,
		LastError:      e.last,
		ProcessingTime: e.time,
		Data:           e.data(),
	}
	if e.requests > 0 {
		s.AverageProcessingTime = e.time / time.Duration(e.requests)
	}
	return s
}

// data returns what the specification has no field for.
func (e *endpoint) data() json.RawMessage {
	if n, err := e.sub.Dropped(); err == nil {
		e.dropped = n
	}
	return fmt.Appendf(nil, `{"busy":%d,"dropped":%d}`, e.busy, e.dropped)
}
