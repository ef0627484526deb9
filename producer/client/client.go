package client

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"sudoku/solver"
	"sudoku/solver/wire"
)

// Options say how a [Client] asks. The zero value is a good choice.
type Options struct {
	Batch     int           // puzzles in one message of SolveAll and CountAll, at most; 0: 256
	Window    int           // messages of one SolveAll or CountAll that are sent and not yet yielded, at most; 0: 64
	Unordered bool          // SolveAll and CountAll yield answers as they come, not in the order of the puzzles
	Retries   int           // how often a request that failed is sent again; 0: 10; negative: never
	Timeout   time.Duration // how long a request may take with all its retries; 0: 1 minute
	ReplyWait time.Duration // how long to wait for the reply to one message before it is sent again; doubles with each retry; 0: 12 s
}

// Defaults of [Options]. A worker gives up a puzzle after 10 s if not told
// otherwise; ReplyWait is a little longer, so that a hard puzzle is not searched
// twice.
const (
	defaultBatch     = 256
	defaultWindow    = 64
	defaultRetries   = 10
	defaultTimeout   = time.Minute
	defaultReplyWait = 12 * time.Second
)

// Errors of a request that was not answered. Those that a worker sends are in
// package [sudoku/solver/wire]: wire.ErrBusy and its neighbours.
var (
	ErrNoWorkers = errors.New("no workers")                                       // NATS says that nobody is subscribed
	ErrNoReply   = fmt.Errorf("no reply from the workers: %w", solver.ErrTimeout) // nothing came in time; matches solver.ErrTimeout as well
	ErrBadReply  = errors.New("bad reply")                                        // what came is not an answer to the request
	ErrClosed    = errors.New("client is closed")                                 // Close was called
)

// Client asks the workers. It is safe for concurrent use.
type Client struct {
	nc     *nats.Conn
	o      Options
	inbox  string // replies come to <inbox><request>.<attempt>
	sub    *nats.Subscription
	status chan nats.Status

	sooner  chan struct{} // the keeper sleeps too long
	stop    chan struct{}
	stopped sync.WaitGroup // the keeper and the subscription

	answered atomic.Bool // a worker has answered
	stats    struct{ sent, retried, ignored atomic.Uint64 }

	last atomic.Uint64 // id of the newest request

	mu     sync.Mutex
	flight map[uint64]*request // see request; nil once closed
	next   time.Time           // when the keeper wakes
}

// New returns a client that asks over nc, which stays the caller's: to close the
// client is not to close nc. The error is that of subscribing to the inbox of
// the replies.
func New(nc *nats.Conn, o Options) (*Client, error) {
	c := &Client{
		nc:     nc,
		o:      o.withDefaults(),
		inbox:  nc.NewInbox() + ".",
		sooner: make(chan struct{}, 1),
		stop:   make(chan struct{}),
		flight: map[uint64]*request{},
	}
	sub, err := nc.Subscribe(c.inbox+"*.*", c.receive)
	if err != nil {
		return nil, fmt.Errorf("subscribing to the replies: %w", err)
	}
	c.sub = sub
	c.stopped.Add(1)
	sub.SetClosedHandler(func(string) { c.stopped.Done() })
	c.status = nc.StatusChanged(nats.CONNECTED, nats.CLOSED)
	c.stopped.Go(c.keep)
	return c, nil
}

func (o Options) withDefaults() Options {
	o.Batch = or(max(o.Batch, 0), defaultBatch)
	o.Window = or(max(o.Window, 0), defaultWindow)
	o.Retries = max(or(o.Retries, defaultRetries), 0)
	o.ReplyWait = or(o.ReplyWait, defaultReplyWait)
	return o
}

// or returns v, or def where v is zero.
func or[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}

// Close ends the client: what is not answered fails with [ErrClosed]. It returns
// when the client's goroutines have ended; calling it twice is harmless.
func (c *Client) Close() {
	c.mu.Lock()
	left := c.flight
	c.flight = nil
	c.mu.Unlock()
	if left != nil {
		for _, r := range left {
			r.settle(ErrClosed)
		}
		close(c.stop)
		_ = c.sub.Unsubscribe() // fails only where the connection is closed, which ends it too
	}
	c.stopped.Wait()
}

// Solve returns the answer to g, with the errors of [solver.Solve]: nil when
// there is a solution, else one that matches [solver.ErrNone],
// [solver.ErrTimeout] or [solver.ErrInvalid]. A request that failed has the zero
// Result and matches [ErrNoWorkers], [ErrNoReply], [ErrBadReply], [ErrClosed],
// an error of nats.go, or an error of package wire. When ctx ends, Solve returns
// at once with an error that matches both [solver.ErrTimeout] and that of ctx.
func (c *Client) Solve(ctx context.Context, g solver.Grid) (solver.Result, error) {
	return one(ctx, c, solving, g)
}

// Count returns how many solutions g has, and stops looking at limit, as
// [solver.Count] does: a result below limit is exact, and limit means that many
// or more. A limit below 1 counts nothing; one above wire.MaxCountLimit is an
// error. The other errors are those of [Client.Solve], without ErrNone; the
// count is then 0.
func (c *Client) Count(ctx context.Context, g solver.Grid, limit int) (int, error) {
	if err := g.Check(); err != nil {
		return 0, err
	}
	if limit < 1 {
		return 0, nil
	}
	if err := checkLimit(limit, wire.MaxCountLimit); err != nil {
		return 0, err
	}
	n, err := one(ctx, c, counting(limit), g)
	return n.N, err
}

func checkLimit(limit, most int) error {
	if limit > most {
		return fmt.Errorf("limit %d: at most %d", limit, most)
	}
	return nil
}

// one asks for a single puzzle.
func one[T any](ctx context.Context, c *Client, op *operation[T], g solver.Grid) (T, error) {
	done := make(chan struct{})
	p := &part[T]{op: op, asked: []solver.Grid{g}, answers: make([]T, 1), errs: make([]error, 1), settled: func() { close(done) }}
	r := c.start(ctx, p)
	select {
	case <-done:
		return p.answers[0], p.err(0)
	case <-ctx.Done():
		if r := c.take(r.id); r != nil {
			r.endSpan(context.Cause(ctx))
		}
		var zero T
		return zero, ended(ctx)
	}
}

// ended is the error of a request whose ctx has ended.
func ended(ctx context.Context) error {
	return fmt.Errorf("%w: %w", solver.ErrTimeout, context.Cause(ctx))
}

// Stats are numbers of a [Client] since it began.
type Stats struct {
	Sent    uint64 // messages sent, retries among them
	Retried uint64 // messages sent again
	Ignored uint64 // replies that came late or twice
}

// Stats returns the numbers so far.
func (c *Client) Stats() Stats {
	return Stats{Sent: c.stats.sent.Load(), Retried: c.stats.retried.Load(), Ignored: c.stats.ignored.Load()}
}
