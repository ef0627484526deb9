package service

import (
	"context"
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
	index    int // among the endpoints
	name     string
	subject  string
	answer   answer
	together bool // whether requests may be solved together

	sub    *nats.Subscription
	closed <-chan struct{} // closed, by close, when sub delivers nothing any more
	close  func()

	accounts accounts
}

func newEndpoints() []*endpoint {
	solve := newEndpoint("solve", wire.SubjectSolve, (*worker).solvePuzzles)
	solve.together = true
	all := []*endpoint{
		solve,
		newEndpoint("count", wire.SubjectCount, (*worker).countSolutions),
		newEndpoint("all", wire.SubjectAll, (*worker).allSolutions),
	}
	for i, e := range all {
		e.index = i
	}
	return all
}

func newEndpoint(name, subject string, answer answer) *endpoint {
	closed := make(chan struct{})
	return &endpoint{
		name:    name,
		subject: subject,
		answer:  answer,
		closed:  closed,
		close:   sync.OnceFunc(func() { close(closed) }),
	}
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

// metrics returns the numbers of this moment.
func (e *endpoint) metrics() EndpointMetrics {
	m := e.accounts.sum(e.sub)
	m.Name = e.name
	return m
}

func (e *endpoint) info() micro.EndpointInfo {
	return micro.EndpointInfo{Name: e.name, Subject: e.subject, QueueGroup: wire.QueueGroup}
}

// stats returns what discovery says of e. With it goes how many puzzles wait at
// this worker, for all endpoints: they have one backlog.
func (e *endpoint) stats(backlog int64) *micro.EndpointStats {
	m := e.metrics()
	s := &micro.EndpointStats{
		Name:           e.name,
		Subject:        e.subject,
		QueueGroup:     wire.QueueGroup,
		NumErrors:      int(m.Lost),
		LastError:      e.accounts.lastError(),
		ProcessingTime: m.Took.Sum,
		Data:           fmt.Appendf(nil, `{"busy":%d,"dropped":%d,"backlog":%d}`, m.Requests[Busy], m.Dropped, backlog),
	}
	for o, n := range m.Requests {
		s.NumRequests += int(n)
		if Outcome(o) != OK {
			s.NumErrors += int(n)
		}
	}
	if s.NumRequests > 0 {
		s.AverageProcessingTime = s.ProcessingTime / time.Duration(s.NumRequests)
	}
	return s
}
