package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"sudoku/solver"
	"sudoku/solver/wire"
)

// An echo is the least that can be done over the queue: a responder that sends
// back what it gets, with a connection of its own as a worker has.
type echo struct {
	nc        *nats.Conn
	responder *nats.Conn
	subject   string
}

func (b *bench) startEcho(nc *nats.Conn) (*echo, error) {
	responder, err := b.queue.connect()
	if err != nil {
		return nil, err
	}
	e := &echo{nc, responder, nc.NewInbox()}
	_, err = responder.Subscribe(e.subject, func(m *nats.Msg) { m.Respond(m.Data) })
	if err == nil {
		err = responder.Flush()
	}
	if err != nil {
		e.stop()
		return nil, fmt.Errorf("starting an echo: %w", err)
	}
	return e, nil
}

func (e *echo) stop() { e.responder.Close() }

// echoWait is how long a reply may take.
const echoWait = 10 * time.Second

func (e *echo) request(ctx context.Context, g solver.Grid) error {
	ctx, cancel := context.WithTimeout(ctx, echoWait)
	defer cancel()
	if _, err := e.nc.RequestWithContext(ctx, e.subject, wire.AppendPuzzle(nil, g)); err != nil {
		return fmt.Errorf("asking the echo: %w", err)
	}
	return nil
}

// puzzleLine is the length of a puzzle in a request.
const puzzleLine = len(solver.Grid{}) + 1

// pipeline measures a window of messages of batch puzzles. A slot is a message
// that may be on its way. Replies come to <inbox><slot>.<message>, a subject of its
// own for each message, as requesters have it: the server finds it in no cache.
func (e *echo) pipeline(b *bench, batch int, to *recorder) error {
	starts := make([]time.Time, b.Window)
	slots := make(chan int, b.Window)
	for slot := range starts {
		slots <- slot
	}
	inbox := e.nc.NewInbox() + "."
	sub, err := e.nc.Subscribe(inbox+"*.*", func(m *nats.Msg) {
		number, _, _ := strings.Cut(m.Subject[len(inbox):], ".")
		slot, _ := strconv.Atoi(number)
		to.since(starts[slot])
		slots <- slot
	})
	if err != nil {
		return fmt.Errorf("starting an echo: %w", err)
	}
	defer sub.Unsubscribe()
	begin, n := time.Now(), 0
	body := make([]byte, 0, batch*puzzleLine)
	for g := range b.cycle(b.Duration / turns) {
		if body = wire.AppendPuzzle(body, g); len(body) < cap(body) {
			continue
		}
		slot, err := e.slot(b.ctx, slots)
		if err != nil {
			return err
		}
		starts[slot] = time.Now()
		if err := e.nc.PublishRequest(e.subject, inbox+strconv.Itoa(slot)+"."+strconv.Itoa(n), body); err != nil {
			return fmt.Errorf("asking the echo: %w", err)
		}
		body = body[:0]
		n += batch
	}
	for range starts {
		if _, err := e.slot(b.ctx, slots); err != nil {
			return err
		}
	}
	to.add(n, time.Since(begin))
	return nil
}

// slot waits for a slot.
func (e *echo) slot(ctx context.Context, slots <-chan int) (int, error) {
	select {
	case slot := <-slots:
		return slot, nil
	default:
	}
	timer := time.NewTimer(echoWait)
	defer timer.Stop()
	select {
	case slot := <-slots:
		return slot, nil
	case <-timer.C:
		return 0, fmt.Errorf("asking the echo: no reply in %v", echoWait)
	case <-ctx.Done():
		return 0, errInterrupted
	}
}
