package jobs

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"go.opentelemetry.io/otel/trace"

	"sudoku/solver"
)

// A SolveFunc solves src[i] into dst[i] for every i, as service.Service.Solve
// does. An error other than that of ctx is a failure of the search.
type SolveFunc = func(ctx context.Context, dst []solver.Result, src []solver.Grid) error

// Options are the settings of [Jobs]. The zero value is a good one.
type Options struct {
	Concurrency int             // puzzles searched at a time by the SolveFunc; 0 means GOMAXPROCS
	Idle        func() int      // how many of those have had no request lately, as service.Service.Idle; nil means all
	Backoff     []time.Duration // a chunk whose search fails is tried again after these times, then given up; nil means 1, 5, 15 and 30 s
	Logger      *slog.Logger    // nil means nowhere
	Tracer      trace.Tracer    // makes a span of each delivery of a chunk that belongs to a trace; nil makes none
}

// backoff is the default of Options.Backoff.
var backoff = []time.Duration{time.Second, 5 * time.Second, 15 * time.Second, 30 * time.Second}

// desksPerSlot is how many chunks are on a desk for each puzzle that is searched at
// a time: the answers to one are written while the next is searched.
const desksPerSlot = 2

// Jobs works on jobs until it is stopped. Its methods are safe for concurrent
// use.
type Jobs struct {
	nc    *nats.Conn
	log   *slog.Logger
	solve SolveFunc
	waits []time.Duration // Options.Backoff

	tracer   trace.Tracer // may be nil
	accounts accounts

	pull    *puller
	desks   sync.Pool      // of *desk
	solving chan struct{}  // has a place for each chunk that is solved
	working sync.WaitGroup // for the chunks in hand

	stopping context.Context // ends when no chunk is begun any more
	stop     context.CancelFunc
	ctx      context.Context // everything that is done for a chunk runs under it
	cancel   context.CancelCauseFunc

	once    sync.Once
	stopped error // what Stop came to
}

// Start takes chunks over nc and has solve solve them until [Jobs.Stop]. It
// returns at once, also where there are no streams yet, or nc is not connected.
// The error is one of the options out of range, or of nc being closed. The caller
// owns nc, and closes it after Stop.
func Start(nc *nats.Conn, solve SolveFunc, o Options) (*Jobs, error) {
	if o.Concurrency < 0 {
		return nil, fmt.Errorf("concurrency %d, want 0 or more", o.Concurrency)
	}
	if o.Concurrency == 0 {
		o.Concurrency = runtime.GOMAXPROCS(0)
	}
	if o.Idle == nil {
		o.Idle = func() int { return o.Concurrency }
	}
	if o.Backoff == nil {
		o.Backoff = backoff
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	j := &Jobs{
		nc:      nc,
		log:     o.Logger,
		solve:   solve,
		waits:   o.Backoff,
		tracer:  o.Tracer,
		desks:   sync.Pool{New: func() any { return new(desk) }},
		solving: make(chan struct{}, o.Concurrency*desksPerSlot),
	}
	j.stopping, j.stop = context.WithCancel(context.Background())
	j.ctx, j.cancel = context.WithCancelCause(context.Background())
	var err error
	j.pull, err = newPuller(nc, o.Logger, o.Concurrency*inHandPerSlot, o.Idle)
	if err != nil {
		return nil, err
	}
	j.working.Go(func() { j.pull.run(j.stopping, j.take) })
	return j, nil
}

// take works on a chunk in a goroutine of its own.
func (j *Jobs) take(m *nats.Msg) {
	j.working.Go(func() {
		defer j.pull.drop(m)
		j.handle(m)
	})
}

// Stop ends the work: it hands back the chunks that are not begun, and those whose
// answers cannot be stored, finishes the others, and returns when the server
// knows. If ctx ends first, those are handed back too, and Stop returns the cause
// of ctx. Another error means that the connection is closed or away; the server
// then waits before it gives the chunks to others. Stop may be called several
// times, also while it runs; each call returns when the work has ended, with the
// same error.
func (j *Jobs) Stop(ctx context.Context) error {
	defer context.AfterFunc(ctx, func() { j.cancel(context.Cause(ctx)) })()
	j.once.Do(func() {
		j.stop()
		j.working.Wait()
		j.stopped = context.Cause(j.ctx)
		if err := j.flush(); err != nil {
			j.stopped = fmt.Errorf("flushing the acknowledgements: %w", err)
		}
		j.cancel(nil)
	})
	return j.stopped
}

// flushTimeout bounds the wait for a connection that is away at the end.
const flushTimeout = 5 * time.Second

// flush returns when the server has the acknowledgements. It does not wait for a
// connection that is away if there are none.
func (j *Jobs) flush() error {
	if n, err := j.nc.Buffered(); err == nil && n == 0 && !j.nc.IsConnected() {
		return nil
	}
	return j.nc.FlushTimeout(flushTimeout)
}
