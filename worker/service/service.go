package service

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"
	"go.opentelemetry.io/otel/trace"

	"sudoku/solver"
	"sudoku/solver/wire"
)

// Options are the settings of a [Service]. The zero value is a good one.
type Options struct {
	Concurrency int           // requests answered at a time; 0 means GOMAXPROCS
	Timeout     time.Duration // limit of the search for one puzzle; 0 means 10 seconds
	Backlog     int           // puzzles that may wait before requests are refused as busy; 0 means 65536
	Version     string        // semantic version shown in discovery; empty means 0.0.0
	Logger      *slog.Logger  // nil means nowhere
	Tracer      trace.Tracer  // makes a span of each request that belongs to a trace; nil makes none
}

func (o Options) withDefaults() Options {
	if o.Concurrency == 0 {
		o.Concurrency = runtime.GOMAXPROCS(0)
	}
	if o.Timeout == 0 {
		o.Timeout = 10 * time.Second
	}
	if o.Backlog == 0 {
		o.Backlog = 1 << 16
	}
	if o.Version == "" {
		o.Version = "0.0.0"
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

func (o Options) check() error {
	switch {
	case o.Concurrency < 1:
		return fmt.Errorf("concurrency %d, want 1 or more", o.Concurrency)
	case o.Timeout < time.Millisecond:
		return fmt.Errorf("timeout %v, want 1ms or more", o.Timeout)
	case o.Backlog < 1:
		return fmt.Errorf("backlog %d, want 1 or more", o.Backlog)
	}
	return nil
}

// A Service answers requests until it is stopped. Its methods are safe for
// concurrent use.
type Service struct {
	nc        *nats.Conn
	options   Options
	log       *slog.Logger
	endpoints []*endpoint
	monitor   *monitor
	pool      *pool
	slots     []*worker
	hurrying  chan *limit      // those for background searches without a thread, one for each slot
	short     chan *background // without a buffer: what waits can be taken back
	long      chan *background // those that are stuck; so is it
	threads   sync.WaitGroup
	searching atomic.Int32 // in the background
	panics    atomic.Uint64

	ctx    context.Context // every search runs under it
	cancel context.CancelCauseFunc

	solve func(ctx context.Context, dst []solver.Result, src []solver.Grid) // solver.SolveBatch; another one in tests

	stopping sync.Once
	stopped  error // what stopping came to
}

// Start subscribes to the requests on nc and answers them until
// [Service.Stop]. It returns when the server has the subscriptions, or, where
// nc is not connected at the moment, at once: the server gets them when nc
// connects again. The error is one of the options out of range, or of nc being
// closed or unable to subscribe. The caller owns nc, and closes it after Stop.
func Start(nc *nats.Conn, o Options) (*Service, error) {
	return start(nc, o, solver.SolveBatch)
}

func start(nc *nats.Conn, o Options, solve func(context.Context, []solver.Result, []solver.Grid)) (*Service, error) {
	o = o.withDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	s := newService(nc, o, solve)
	if err := s.subscribe(); err != nil {
		s.cancel(err)
		s.Stop(s.ctx)
		return nil, err
	}
	return s, nil
}

// newService returns a service whose workers wait for what is put into the pool.
func newService(nc *nats.Conn, o Options, solve func(context.Context, []solver.Result, []solver.Grid)) *Service {
	s := &Service{
		nc:        nc,
		options:   o,
		log:       o.Logger,
		pool:      newPool(o.Concurrency, o.Backlog),
		endpoints: newEndpoints(),
		solve:     solve,
		hurrying:  make(chan *limit, o.Concurrency),
		short:     make(chan *background),
		long:      make(chan *background),
	}
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	s.monitor = newMonitor(s)
	for i := range o.Concurrency {
		w, t := newWorker(s), &thread{Service: s, work: s.short}
		if i > 0 {
			t.beside = w
		}
		s.slots = append(s.slots, w)
		s.hurrying <- newLimit(s.ctx)
		s.pool.workers.Go(w.run)
		s.threads.Go(t.run)
	}
	long := &thread{Service: s, work: s.long}
	s.threads.Go(long.run)
	return s
}

func (s *Service) subscribe() error {
	for _, e := range s.endpoints {
		if err := e.subscribe(s.nc, s.take); err != nil {
			return err
		}
	}
	if err := s.monitor.subscribe(s.nc); err != nil {
		return err
	}
	// A flush fails where the connection is lost, also if it is back by then.
	for s.nc.IsConnected() && s.nc.Flush() != nil {
	}
	return nil
}

// take puts r into the backlog, or refuses it where that is full.
func (s *Service) take(r request) {
	if s.pool.add(r) {
		return
	}
	a := rejected(BacklogFull, wire.CodeBusy, "busy: the backlog of this worker is full")
	a.failure.RetryAfter = s.pool.retryAfter()
	r.endpoint.accounts.recordRefused(&a)
	s.send(r, a)
}

// Stop ends the service: it takes no more requests, finishes those that have
// arrived, and returns when the server has the replies. If ctx ends first the
// searches are cancelled, which turns what they have not found into timeouts;
// the replies are sent all the same and Stop returns the cause of ctx. Another
// error means that replies may be lost, the connection being closed, or away for
// 5 seconds or more. Stop may be called several times, also while it runs; each
// call returns when the service has stopped, with the same error.
func (s *Service) Stop(ctx context.Context) error {
	defer context.AfterFunc(ctx, func() { s.cancel(context.Cause(ctx)) })()
	s.stopping.Do(func() { s.stopped = s.stop() })
	return s.stopped
}

// stop loses nothing because of its order: the subscriptions are drained and
// closed, so that everything the server has sent is in the pool; the pool
// finishes it; the replies are flushed.
func (s *Service) stop() error {
	defer s.end()
	s.monitor.unsubscribe()
	s.drain()
	s.pool.close()
	if err := s.flush(); err != nil {
		return fmt.Errorf("flushing the replies: %w", err)
	}
	return context.Cause(s.ctx)
}

// end ends the background searches.
func (s *Service) end() {
	s.cancel(nil)
	s.threads.Wait()
}

// goodbye bounds the waits for the server at the end, which take one round trip
// each while the connection is there.
const goodbye = 5 * time.Second

// drain returns when the subscriptions are closed.
func (s *Service) drain() {
	ctx, cancel := context.WithTimeout(context.Background(), goodbye)
	defer cancel()
	for _, e := range s.endpoints {
		e.drain(s.nc)
	}
	for _, e := range s.endpoints {
		e.awaitClosed(ctx)
	}
}

// flush returns when the server has the replies. It does not wait for a
// connection that is away if there are none.
func (s *Service) flush() error {
	if n, err := s.nc.Buffered(); err == nil && n == 0 && !s.nc.IsConnected() {
		return nil
	}
	return s.nc.FlushTimeout(goodbye)
}

// Stats returns what discovery says about the requests so far.
func (s *Service) Stats() micro.Stats { return s.monitor.stats() }
