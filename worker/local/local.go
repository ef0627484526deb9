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
package local

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"sudoku/worker/service"
)

// Options are the settings of a [Local]. The zero value is a good one.
type Options struct {
	Service service.Options // of the worker
}

// A Local is a server and a worker. Its methods are safe for concurrent use.
type Local struct {
	server  *server.Server
	conn    *nats.Conn // of the worker
	service *service.Service
}

// Start returns when requests sent over [Local.Connect] are answered. The error
// is what [service.Start] says of the options.
func Start(o Options) (*Local, error) {
	srv, err := startServer()
	if err != nil {
		return nil, err
	}
	l := &Local{server: srv}
	if err := l.startService(o.Service); err != nil {
		l.close()
		return nil, err
	}
	return l, nil
}

// readyTimeout is ample: a server that does not listen is ready in milliseconds.
const readyTimeout = 10 * time.Second

func startServer() (*server.Server, error) {
	srv, err := server.NewServer(&server.Options{DontListen: true, NoSigs: true, NoLog: true})
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
	err := l.service.Stop(ctx)
	l.close()
	return err
}

func (l *Local) close() {
	if l.conn != nil {
		l.conn.Close()
	}
	l.server.Shutdown()
	l.server.WaitForShutdown()
}
