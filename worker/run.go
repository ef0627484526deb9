package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"runtime"

	"github.com/nats-io/nats.go"
	"go.opentelemetry.io/otel/trace"

	"sudoku/config"
	"sudoku/solver"
	"sudoku/worker/jobs"
	"sudoku/worker/service"
)

// run is the program. It works until ctx ends, then answers what has arrived,
// for which it takes the time it needs unless hurry ends.
func run(ctx, hurry context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) > 0 && args[0] == "health" {
		return health(ctx, args[1:], stdout)
	}
	flags := flag.NewFlagSet("worker", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	version := flags.Bool("version", false, "")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		usage(stdout)
		return nil
	case err != nil:
		return fmt.Errorf("%v: %w", err, errUsage)
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected argument %q: %w", flags.Arg(0), errUsage)
	case *version:
		fmt.Fprintln(stdout, "worker", config.Version())
		return nil
	}
	c, err := config.Load()
	if err == nil {
		err = useEngine(c.Engine)
	}
	if err != nil {
		return err
	}
	return work(ctx, hurry, c, c.Log.Logger(stderr))
}

func usage(w io.Writer) {
	fmt.Fprint(w, `worker answers Sudoku requests that come over NATS: sudoku.v1.solve, .count and
.all, and works on durable jobs where the server has their streams. Start as many
as you like, they share the work. It waits for NATS when that is away. SIGINT or
SIGTERM stops it when what has arrived is answered; a second one ends the
searches, which are then answered as timed out, or done by others for a job.

Usage: worker [--version]
       worker health [--alive] [--addr ADDR]

worker health asks the worker that has this SUDOKU_HTTP_ADDR, or ADDR, whether it
is ready for requests (/readyz) or, with --alive, whether it is there (/healthz).

Environment:
`)
	config.Usage(w)
	fmt.Fprintf(w, `  Without SUDOKU_NATS_URL the worker uses %s.

Exit status:
  0  stopped, and everything that had arrived is answered; health: it is well
  1  health: it is not
  2  usage or configuration
  3  stopped while NATS was away, so that replies may be lost
  4  NATS refused the connection for good, as with a wrong password
`, nats.DefaultURL)
}

// work connects, and serves until ctx ends. It gives the runtime twice the
// processors that search: while all of them do, the runtime looks at the network
// only every 10 ms, so that a request waits for that behind a job.
func work(ctx, hurry context.Context, c config.Config, log *slog.Logger) error {
	tracer, stopTracing, err := config.Tracer("sudoku-worker", log)
	if err != nil {
		return err
	}
	defer stopTracing()
	ops, err := operate(ctx, c.HTTP.Addr, log)
	if err != nil {
		return err
	}
	defer ops.close()
	closed := make(chan struct{})
	nc, err := connect(c.NATS, "sudoku-worker", log, nats.ClosedHandler(func(*nats.Conn) { close(closed) }))
	if err != nil {
		return err
	}
	defer nc.Close()
	// No request waits behind the bytes of a job. Of this connection the log has
	// only the errors: it comes and goes with the other.
	bulk, err := connect(c.NATS, "sudoku-worker-jobs", slog.New(onlyErrors{log.Handler()}))
	if err != nil {
		return err
	}
	defer bulk.Close()
	ops.watch(nc, bulk)
	if err := await(ctx, nc, closed); err != nil || ctx.Err() != nil {
		return err
	}
	c.Worker.Concurrency = cmp.Or(c.Worker.Concurrency, runtime.GOMAXPROCS(0))
	runtime.GOMAXPROCS(2 * c.Worker.Concurrency)
	d, err := begin(nc, bulk, c.Worker, tracer, log)
	if err != nil {
		return fmt.Errorf("%w: %v", errRefused, err)
	}
	ops.work(d.jobs)
	ops.serve(nc, d.service)
	log.Info("ready", "version", config.Version(), "engine", solver.EngineInUse())
	tell(log, "READY=1")
	select {
	case <-ctx.Done():
		return d.end(hurry, log)
	case <-closed:
		return cmp.Or(refusal(nc), d.end(hurry, log))
	}
}

// duties are what a worker does.
type duties struct {
	service *service.Service
	jobs    *jobs.Jobs
}

// begin takes requests from nc and chunks of jobs from bulk.
func begin(nc, bulk *nats.Conn, w config.Worker, tracer trace.Tracer, log *slog.Logger) (duties, error) {
	s, err := service.Start(nc, service.Options{
		Concurrency: w.Concurrency,
		Timeout:     w.Timeout,
		Backlog:     w.Backlog,
		Version:     config.Version(),
		Logger:      log,
		Tracer:      tracer,
	})
	if err != nil {
		return duties{}, err
	}
	j, err := jobs.Start(bulk, s.Solve, jobs.Options{Concurrency: w.Concurrency, Idle: s.Idle, Logger: log, Tracer: tracer})
	if err != nil {
		return duties{}, errors.Join(err, s.Stop(context.Background()))
	}
	return duties{s, j}, nil
}

// end finishes what has arrived, and writes to log what was done. Chunks of jobs
// that are not acknowledged are not lost: others get them.
func (d duties) end(hurry context.Context, log *slog.Logger) error {
	log.Info("stopping")
	tell(log, "STOPPING=1")
	if err := d.jobs.Stop(hurry); err != nil {
		log.Warn("chunks of jobs may be solved again", "error", err)
	}
	err := d.service.Stop(hurry)
	requests, failed := 0, 0
	for _, e := range d.service.Stats().Endpoints {
		requests += e.NumRequests
		failed += e.NumErrors
	}
	log.Info("stopped", "requests", requests, "failed", failed, "cut_short", hurry.Err() != nil)
	if err != nil && !errors.Is(err, hurry.Err()) {
		return fmt.Errorf("%w: %v", errLost, err)
	}
	return nil
}

// connect returns a connection that may not be there yet, but is tried for
// ever.
func connect(n config.NATS, name string, log *slog.Logger, more ...nats.Option) (*nats.Conn, error) {
	options, err := n.Options(log)
	if err != nil {
		return nil, err
	}
	options = append(options, nats.Name(name), nats.RetryOnFailedConnect(true))
	nc, err := nats.Connect(cmp.Or(n.URL, nats.DefaultURL), append(options, more...)...)
	if err != nil {
		return nil, &config.Error{Name: "SUDOKU_NATS_URL", Text: err.Error()}
	}
	return nc, nil
}

// onlyErrors drops what is not an error.
type onlyErrors struct{ slog.Handler }

func (onlyErrors) Enabled(_ context.Context, l slog.Level) bool { return l >= slog.LevelError }

// await returns when nc is connected or ctx has ended. The error is that nc is
// closed.
func await(ctx context.Context, nc *nats.Conn, closed <-chan struct{}) error {
	connected := nc.StatusChanged(nats.CONNECTED)
	defer nc.RemoveStatusListener(connected)
	if nc.IsConnected() {
		return nil
	}
	select {
	case <-connected:
		return nil
	case <-ctx.Done():
		return nil
	case <-closed:
		return refusal(nc)
	}
}

// refusal returns why nc, which nobody here has closed, is closed.
func refusal(nc *nats.Conn) error { return fmt.Errorf("%w: %v", errRefused, nc.LastError()) }
