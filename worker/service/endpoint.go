package service

import (
	"context"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"sudoku/solver/wire"
)

// An endpoint is one of the subjects and what happened on it.
type endpoint struct {
	name    string
	subject string

	sub    *nats.Subscription
	closed chan struct{} // closed when sub delivers nothing any more

	mu       sync.Mutex
	requests int
	errors   int
	time     time.Duration
	last     string // the latest error
}

// subscribe has the messages sent to the pool by the goroutine that reads the
// connection, without another one in between.
func (e *endpoint) subscribe(nc *nats.Conn, messages chan *nats.Msg) error {
	sub, err := nc.ChanQueueSubscribe(e.subject, wire.QueueGroup, messages)
	if err != nil {
		return err
	}
	e.sub, e.closed = sub, make(chan struct{})
	once := sync.OnceFunc(func() { close(e.closed) })
	sub.SetClosedHandler(func(string) { once() })
	return nil
}

// drain asks the server for no more messages; e.closed says when the last one
// has come. A connection that is away has none to give.
func (e *endpoint) drain(nc *nats.Conn) {
	if e.sub == nil {
		return
	}
	if !nc.IsConnected() || e.sub.Drain() != nil {
		e.sub.Unsubscribe()
	}
}

// awaitClosed returns when the subscription is closed, by force when ctx ends.
func (e *endpoint) awaitClosed(ctx context.Context) {
	if e.sub == nil || !e.sub.IsValid() {
		return
	}
	select {
	case <-e.closed:
	case <-ctx.Done():
		e.sub.Unsubscribe()
	}
}

// record counts a request that took d and failed with err, if not nil.
func (e *endpoint) record(d time.Duration, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.requests++
	e.time += d
	if err != nil {
		e.errors++
		e.last = err.Error()
	}
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
	}
	if e.requests > 0 {
		s.AverageProcessingTime = e.time / time.Duration(e.requests)
	}
	return s
}

func (e *endpoint) info() micro.EndpointInfo {
	return micro.EndpointInfo{Name: e.name, Subject: e.subject, QueueGroup: wire.QueueGroup}
}
