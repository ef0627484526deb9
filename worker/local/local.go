// Package local is a NATS server with a worker inside this process, for
// programs and tests that want answers without anything else running. It opens
// no port.
//
// Start with [Start], [Local.Connect] and [Local.Stop]:
//
//	l, err := local.Start(local.Options{})
//	…
//	nc, err := l.Connect()
//	…
//	nc.Close()
//	err = l.Stop(ctx)
//
// With Options.Store it has JetStream too, and works on durable jobs, which are
// there again when it is started with the same directory.
package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"sudoku/worker/jobs"
	"sudoku/worker/service"
)

// Options are the settings of a [Local]. The zero value is a good one.
type Options struct {
	Service service.Options // of the worker
	Store   string          // directory for durable jobs, which is made if it is not there; empty means that there are none
}

// A Local is a server and a worker. Its methods are safe for concurrent use.
type Local struct {
	server  *server.Server
	lock    io.Closer  // of the store; nil without one
	conn    *nats.Conn // of the worker
	service *service.Service
	jobs    *jobs.Jobs // nil without a store
}

// ErrStoreInUse is a store that another process works with.
var ErrStoreInUse = errors.New("another process works with the store")

// Start returns when requests sent over [Local.Connect] are answered. The error
// matches [ErrStoreInUse], or is that of making the store, or what
// [service.Start] says of the options.
func Start(o Options) (*Local, error) {
	l := &Local{}
	if o.Store != "" {
		var err error
		if l.lock, err = lock(o.Store); err != nil {
			return nil, fmt.Errorf("locking %s: %w", o.Store, err)
		}
	}
	if err := l.start(o); err != nil {
		l.close()
		return nil, err
	}
	return l, nil
}

// readyTimeout is ample: a server that does not listen is ready in milliseconds.
const readyTimeout = 10 * time.Second

func (l *Local) start(o Options) (err error) {
	if l.server, err = startServer(o.Store); err != nil {
		return err
	}
	if err = l.startService(o.Service); err != nil || o.Store == "" {
		return err
	}
	l.jobs, err = jobs.Start(l.conn, l.service.Solve, jobs.Options{Concurrency: o.Service.Concurrency, Idle: l.service.Idle, Logger: o.Service.Logger})
	return err
}

func startServer(store string) (*server.Server, error) {
	srv, err := server.NewServer(&server.Options{
		DontListen: true, NoSigs: true, NoLog: true,
		JetStream: store != "", StoreDir: store,
	})
	if err != nil {
		return nil, fmt.Errorf("creating the NATS server: %w", err)
	}
	srv.Start()
	if !srv.ReadyForConnections(readyTimeout) {
		srv.Shutdown()
		return nil, errors.New("the NATS server did not start")
	}
	return srv, nil
}

func (l *Local) startService(o service.Options) (err error) {
	if l.conn, err = l.Connect(nats.Name("worker"), logErrors(o.Logger)); err != nil {
		return err
	}
	l.service, err = service.Start(l.conn, o)
	return err
}

// logErrors keeps the connection from writing its errors to standard error.
func logErrors(log *slog.Logger) nats.Option {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
		log.Error("connection of the worker", "error", err)
	})
}

// Connect returns a new connection to the server, which the caller closes. The
// options are applied after those that make it one within the process.
func (l *Local) Connect(opts ...nats.Option) (*nats.Conn, error) {
	nc, err := nats.Connect("", append([]nats.Option{nats.InProcessServer(l.server)}, opts...)...)
	if err != nil {
		return nil, fmt.Errorf("connecting within the process: %w", err)
	}
	return nc, nil
}

// Stop ends the worker as [service.Service.Stop] does, with the same error, and
// then the server. Connections that are still open are closed. Calling Stop
// again is harmless.
func (l *Local) Stop(ctx context.Context) error {
	if l.jobs != nil {
		_ = l.jobs.Stop(ctx) // what is not acknowledged is solved when the store is used again
	}
	err := l.service.Stop(ctx)
	l.close()
	return err
}

func (l *Local) close() {
	if l.conn != nil {
		l.conn.Close()
	}
	if l.server != nil {
		l.server.Shutdown()
		l.server.WaitForShutdown()
	}
	if l.lock != nil {
		l.lock.Close()
	}
}
