package client

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"go.opentelemetry.io/otel/trace"

	"sudoku/solver"
	"sudoku/solver/wire"
)

// A request is a message to the workers until it is settled: answered, failed or
// abandoned. It stands in Client.flight while it waits. Whoever takes it out
// (the reply, the keeper, Close, or the caller whose context ended) owns it, and
// no other touches it: the owner either settles it or puts it back.
type request struct {
	id       uint64
	task     task
	ctx      context.Context // the caller's; nobody waits for the answer when it has ended
	deadline time.Time       // when to give up
	span     trace.Span      // nil where the caller has none

	attempt uint64    // number of the message sent last, from 1
	tries   int       // failures so far
	resting bool      // no reply is awaited: it waits to be sent again
	due     time.Time // when it is the keeper's turn: to send, or to miss the reply
	err     error     // the failure seen last
}

// A task is what a request asks and where the answers go.
type task interface {
	// subject, puzzles and limit are what is asked; a limit of 0 is none.
	subject() string
	puzzles() []solver.Grid
	limit() int

	// read takes the answers from a reply to the given attempt. More is true
	// when further replies follow. The error says why the reply is not to be
	// believed.
	read(m *nats.Msg, attempt uint64) (more bool, err error)

	// halves divides the task into two that settle it, or returns nothing where
	// it has one puzzle.
	halves() []task

	// settle ends the task; err is why there are no answers.
	settle(err error)
}

// settle ends r, which the caller owns; err is why there are no answers.
func (r *request) settle(err error) {
	r.endSpan(err)
	r.task.settle(err)
}

// Waiting times of a request that failed. A worker reconnects to NATS after
// about 2 s, so that is how far the pause grows.
const (
	minBackoff = 10 * time.Millisecond
	maxBackoff = 2 * time.Second
)

// start sends the first message of a task.
func (c *Client) start(ctx context.Context, t task) *request {
	now := time.Now()
	r := &request{id: c.last.Add(1), task: t, ctx: ctx, deadline: now.Add(or(c.o.Timeout, defaultTimeout))}
	if d, ok := ctx.Deadline(); ok && d.Before(r.deadline) {
		r.deadline = d
	}
	r.startSpan(ctx)
	c.send(r, now)
	return r
}

// send publishes the next message of r, which the caller owns, and lets it wait
// for the reply.
func (c *Client) send(r *request, now time.Time) {
	if !c.nc.IsConnected() {
		c.postpone(r)
		return
	}
	r.attempt++
	r.resting = false
	r.due = c.replyDue(r, now)
	body := bodies.Get().(*[]byte)
	defer bodies.Put(body)
	m := c.message(r, now, (*body)[:0])
	*body = m.Data
	id, again := r.id, r.attempt > 1
	if !c.hold(r) {
		return
	}
	c.stats.sent.Add(1)
	if again {
		c.stats.retried.Add(1)
	}
	if err := c.nc.PublishMsg(&m); err != nil {
		c.lose(id, err)
	}
}

// replyDue is when the keeper gives up on the next reply.
func (c *Client) replyDue(r *request, now time.Time) time.Time {
	due := now.Add(c.o.ReplyWait << min(r.tries, 4))
	if due.After(r.deadline) {
		return r.deadline
	}
	return due
}

// postpone lets r wait until the connection is back, when the keeper sends all
// that waits. If it is back already, the keeper may not have seen r.
func (c *Client) postpone(r *request) {
	id := r.id
	r.resting, r.due, r.err = true, r.deadline, nats.ErrDisconnected
	if !c.hold(r) {
		return
	}
	switch c.nc.Status() {
	case nats.CONNECTED:
		if r := c.take(id); r != nil {
			c.send(r, time.Now())
		}
	case nats.CLOSED:
		c.lose(id, nats.ErrConnectionClosed)
	}
}

// bodies are buffers for the bodies of requests, which PublishMsg copies.
var bodies = sync.Pool{New: func() any { return new([]byte) }}

// message builds the next message of r, with its body in the space of body. The
// first message of one puzzle does not say how much time is left unless the
// caller set a time: the worker's own limit bounds the search, and a header costs
// as much as the rest of the message.
func (c *Client) message(r *request, now time.Time, body []byte) nats.Msg {
	puzzles := r.task.puzzles()
	for i := range puzzles {
		body = wire.AppendPuzzle(body, puzzles[i])
	}
	terms := wire.Terms{Limit: r.task.limit()}
	_, hurried := r.ctx.Deadline()
	if c.o.Timeout > 0 || hurried || r.attempt > 1 || len(puzzles) > 1 {
		terms.Timeout = searchTime(r.deadline.Sub(now))
	}
	return nats.Msg{
		Subject: r.task.subject(),
		Reply:   c.replySubject(r.id, r.attempt),
		Header:  r.inject(terms.Header()),
		Data:    body,
	}
}

// replySubject returns what parseReply reads.
func (c *Client) replySubject(id, attempt uint64) string {
	b := make([]byte, 0, 80)
	b = append(b, c.inbox...)
	b = strconv.AppendUint(b, id, 10)
	b = append(b, '.')
	return string(strconv.AppendUint(b, attempt, 10))
}

// searchTime is how much of the time left the worker may use, so that its reply
// is here before the time is over.
func searchTime(left time.Duration) time.Duration {
	left -= min(left/10, 250*time.Millisecond)
	return min(max(left, time.Millisecond), wire.MaxTimeout)
}

// hold lets r wait. It returns false where nothing is to wait for: it drops r when
// ctx has ended, and settles it when the client is closed.
func (c *Client) hold(r *request) bool {
	c.mu.Lock()
	open, wanted := c.flight != nil, r.ctx.Err() == nil
	sooner := open && wanted && r.due.Before(c.next)
	if open && wanted {
		c.flight[r.id] = r
	}
	if sooner {
		c.next = r.due
	}
	c.mu.Unlock()
	if !open {
		r.settle(ErrClosed)
	} else if !wanted {
		r.endSpan(context.Cause(r.ctx))
	}
	if sooner {
		select {
		case c.sooner <- struct{}{}:
		default:
		}
	}
	return open && wanted
}

// take makes the caller the owner of the request, or returns nil if it waits no
// more.
func (c *Client) take(id uint64) *request {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.flight[id]
	delete(c.flight, id)
	return r
}

// takeIf makes the caller the owner of the waiting requests that want to be.
func (c *Client) takeIf(wanted func(*request) bool) (taken []*request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, r := range c.flight {
		if wanted(r) {
			delete(c.flight, id)
			taken = append(taken, r)
		}
	}
	return taken
}

// abandon drops the requests of a context that has ended.
func (c *Client) abandon(ctx context.Context) {
	for _, r := range c.takeIf(func(r *request) bool { return r.ctx == ctx }) {
		r.endSpan(context.Cause(ctx))
	}
}

// lose is what becomes of a request that could not be published.
func (c *Client) lose(id uint64, err error) {
	if r := c.take(id); r != nil {
		c.failed(r, fmt.Errorf("publishing: %w", err))
	}
}

// receive is called with every reply, one after the other.
func (c *Client) receive(m *nats.Msg) {
	id, attempt := c.parseReply(m.Subject)
	r := c.take(id)
	if r == nil {
		c.stats.ignored.Add(1)
		return
	}
	more, err := c.read(r.task, m, attempt)
	current := attempt == r.attempt && !r.resting
	switch {
	case err == nil && !more:
		r.settle(nil)
	case err != nil && current:
		c.failed(r, err)
	case err == nil && current:
		r.due = c.replyDue(r, time.Now())
		c.hold(r)
	default: // the attempt is given up already
		c.hold(r)
	}
}

// read returns whether further replies follow, and the failure that m says or is.
func (c *Client) read(t task, m *nats.Msg, attempt uint64) (more bool, err error) {
	err = failure(m)
	if err != ErrNoWorkers {
		c.answered.Store(true)
	}
	if err != nil {
		return false, err
	}
	if more, err = t.read(m, attempt); err != nil {
		return false, fmt.Errorf("%w: %w", ErrBadReply, err)
	}
	return more, nil
}

// parseReply reads what replySubject returns; 0 where it is another.
func (c *Client) parseReply(subject string) (id, attempt uint64) {
	rest, _ := strings.CutPrefix(subject, c.inbox)
	first, second, _ := strings.Cut(rest, ".")
	id, _ = strconv.ParseUint(first, 10, 64)
	attempt, _ = strconv.ParseUint(second, 10, 64)
	return id, attempt
}

// failure returns why m answers no puzzle, or nil if it does.
func failure(m *nats.Msg) error {
	if len(m.Data) > 0 || len(m.Header) == 0 {
		return nil
	}
	if m.Header.Get("Status") == "503" {
		return ErrNoWorkers
	}
	if err := wire.ParseError(m.Header); err != nil {
		return err
	}
	return nil
}

// failed decides what becomes of r, which the caller owns, after err.
func (c *Client) failed(r *request, err error) {
	said := new(wire.Error)
	errors.As(err, &said)
	switch {
	case said.Code == wire.CodeBusy:
		c.retry(r, err, said.RetryAfter)
	case said.Code == wire.CodeTooLarge, errors.Is(err, nats.ErrMaxPayload):
		if !c.divide(r, err) {
			r.settle(err)
		}
	case said.Code == wire.CodeInternal:
		if !c.divide(r, err) {
			c.retry(r, err, 0)
		}
	case said.Code != 0, final(err), err == ErrNoWorkers && !c.answered.Load():
		r.settle(err)
	default:
		c.retry(r, err, 0)
	}
}

// final reports whether err of nats.go will not pass.
func final(err error) bool {
	return errors.Is(err, nats.ErrConnectionClosed) || errors.Is(err, nats.ErrConnectionDraining)
}

// divide asks for the halves of r instead, with the full time for each. It
// returns false if there are none.
func (c *Client) divide(r *request, err error) bool {
	halves := r.task.halves()
	if len(halves) == 0 {
		return false
	}
	r.note("divided", err)
	r.endSpan(nil)
	for _, t := range halves {
		c.start(r.ctx, t)
	}
	return true
}

// retry lets r rest before it is sent again: at least as long as after, and
// longer with each failure. It settles r when the tries or the time are used up.
func (c *Client) retry(r *request, err error, after time.Duration) {
	r.err = err
	r.tries++
	pause := min(minBackoff<<min(r.tries-1, 10), maxBackoff)
	r.due = time.Now().Add(after + pause/2 + rand.N(pause/2))
	if r.tries > c.o.Retries || !r.due.Before(r.deadline) {
		r.settle(fmt.Errorf("try %d: %w", r.tries, err))
		return
	}
	r.note("retried", err)
	r.resting = true
	c.hold(r)
}
