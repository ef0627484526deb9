package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"sudoku/solver/wire"
)

// Calls of the JetStream API.
const (
	callTimeout = 5 * time.Second
	callTries   = 8 // while the connection is steady; with the waits between them some 5 s
	silentTries = 3 // without an answer; 15 s, in which a cluster misses a leader and elects another
)

// call has f call the JetStream API, with a time limit of its own. Where the
// connection was away, in which a call can be lost without an error, or a stream
// has no leader for the moment, or one that has just died and says nothing, f is
// called again; so it may do its work twice. The error is the last one of f, or
// of ctx.
func (c *Client) call(ctx context.Context, f func(ctx context.Context) error) error {
	wait, silent := minWait, 0
	for try := 1; ; try++ {
		reconnects := c.nc.Stats().Reconnects
		err := limited(ctx, f)
		switch {
		case err == nil || ctx.Err() != nil || c.nc.IsClosed():
			return err
		case !c.nc.IsConnected() || c.nc.Stats().Reconnects != reconnects:
			try, silent = 0, 0
		case errors.Is(err, context.DeadlineExceeded):
			if silent++; silent == silentTries {
				return err
			}
		case !leaderless(err) || try == callTries:
			return err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return ctx.Err()
		}
		wait = min(2*wait, maxWait)
	}
}

func limited(ctx context.Context, f func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	return f(ctx)
}

// codeNoPeers is what the JetStream API says where a leader does not know enough
// servers for the copies of a stream: one that has just been elected may soon.
const codeNoPeers = 10005

// leaderless reports whether err is what is said where a cluster elects a leader,
// or a server has just started.
func leaderless(err error) bool {
	api := new(jetstream.APIError)
	switch {
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount):
		return false
	case errors.As(err, &api):
		return api.Code == 503 || api.ErrorCode == codeNoPeers
	}
	return errors.Is(err, nats.ErrNoResponders)
}

// readable says in our words that nobody answers for the JetStream API, which
// every server that has it does, or that it is not there.
func readable(err error) error {
	if errors.Is(err, nats.ErrNoResponders) || errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount) {
		return ErrNoJetStream
	}
	return err
}

// stream returns a stream, and with it what it has and how it is configured.
func (c *Client) stream(ctx context.Context, name string) (s jetstream.Stream, err error) {
	err = c.call(ctx, func(ctx context.Context) error {
		s, err = c.js.Stream(ctx, name)
		return readable(err)
	})
	return s, err
}

// workers returns the consumer of the workers.
func (c *Client) workers(ctx context.Context) (w jetstream.Consumer, err error) {
	err = c.call(ctx, func(ctx context.Context) error {
		w, err = c.js.Consumer(ctx, wire.StreamJobs, wire.ConsumerJobs)
		return readable(err)
	})
	return w, err
}
