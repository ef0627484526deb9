package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"

	"github.com/nats-io/nats.go"

	"sudoku/config"
	"sudoku/producer/client"
	"sudoku/worker/local"
	"sudoku/worker/service"
)

// A queue is where the workers are: on NATS, or with a NATS of their own inside
// this process.
type queue struct {
	connect func() (*nats.Conn, error)
	stop    func()
}

// queue reaches the workers: where the flag, the configuration or the context
// say, or without any those it starts itself. Those work on durable jobs too where
// store is not empty.
func (p *program) queue(url, store string) (queue, error) {
	log := p.logger()
	n, err := p.nats(url, log)
	if err != nil {
		return queue{}, err
	}
	if n.URL != "" {
		return p.remote(n, log)
	}
	concurrency := cmp.Or(p.config.Worker.Concurrency, runtime.GOMAXPROCS(0))
	if store != "" {
		runtime.GOMAXPROCS(2 * concurrency) // package service says why
	}
	l, err := local.Start(local.Options{Store: store, Service: service.Options{
		Concurrency: concurrency,
		Timeout:     p.config.Worker.Timeout,
		Backlog:     p.config.Worker.Backlog,
		Version:     config.Version(),
		Logger:      log,
		Tracer:      p.tracer,
	}})
	if err != nil {
		return queue{}, fmt.Errorf("starting a worker in this process: %w", err)
	}
	now, cancel := context.WithCancel(context.Background())
	cancel() // at the end nobody waits for what is still being searched
	return queue{
		connect: func() (*nats.Conn, error) { return l.Connect() },
		stop:    func() { l.Stop(now) },
	}, nil
}

// nats returns how to reach NATS. The URL is that of a flag, or empty.
func (p *program) nats(url string, log *slog.Logger) (config.NATS, error) {
	n := p.config.NATS
	if url != "" {
		if err := config.CheckURL(url); err != nil {
			return config.NATS{}, fmt.Errorf("--nats: %w: %w", err, errUsage)
		}
		n.URL = url
	}
	if p.context == "" {
		return n, nil
	}
	if n.URL != "" {
		log.Warn("the context is not used, because a URL is set", "context", p.context)
	}
	return n.WithContext(p.context)
}

func (p *program) remote(n config.NATS, log *slog.Logger) (queue, error) {
	options, err := n.Options(log)
	if err != nil {
		return queue{}, err
	}
	options = append(options, p.endWithoutGrant(n))
	connect := func() (*nats.Conn, error) {
		nc, err := nats.Connect(n.URL, append(options, nats.Name("sudoku-producer"))...)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errConnection, err)
		}
		return nc, nil
	}
	return queue{connect, func() {}}, nil
}

// endWithoutGrant ends the program when NATS does not permit what it does: there
// would be no reply, however long one waits.
func (p *program) endWithoutGrant(n config.NATS) nats.Option {
	return func(o *nats.Options) error {
		report := o.AsyncErrorCB
		o.AsyncErrorCB = func(nc *nats.Conn, sub *nats.Subscription, err error) {
			if missing := n.Grant(err); missing != "" {
				p.end(fmt.Errorf("%w: %s", errForbidden, missing))
			} else {
				report(nc, sub, err)
			}
		}
		return nil
	}
}

// logger returns a log that says less than that of a worker: people want to hear
// that the connection is lost, not that it is there.
func (p *program) logger() *slog.Logger {
	l := p.config.Log
	if l.Level == "info" {
		l.Level = "warn"
	}
	return l.Logger(p.console)
}

// connected calls f with a connection to the queue, and closes both when f
// returns. See queue for url and store.
func (p *program) connected(url, store string, f func(*nats.Conn) error) error {
	q, err := p.queue(url, store)
	if err != nil {
		return err
	}
	defer q.stop()
	nc, err := q.connect()
	if err != nil {
		return err
	}
	defer nc.Close()
	return f(nc)
}

// asking calls f with a client, and ends the client when f returns.
func (p *program) asking(url string, o client.Options, f func(*client.Client) error) error {
	return p.connected(url, "", func(nc *nats.Conn) error {
		c, err := client.New(nc, o)
		if err != nil {
			return err
		}
		defer c.Close()
		return f(c)
	})
}

// fatal returns the error that ends the program when a request fails with err,
// as every other would; nil where the others may go well.
func fatal(err error) error {
	switch {
	case errors.Is(err, client.ErrNoWorkers):
		return client.ErrNoWorkers
	case errors.Is(err, nats.ErrConnectionClosed), errors.Is(err, nats.ErrDisconnected):
		return errConnection
	}
	return nil
}
