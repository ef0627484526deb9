package jobs

import (
	"fmt"
	"log/slog"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Options are the settings of a [Client]. The zero value is a good one.
type Options struct {
	Logger *slog.Logger // where waiting is reported; nil means nowhere
}

// A Client submits jobs, reads their results and looks after them. It is safe
// for concurrent use, and there is nothing to close.
type Client struct {
	nc    *nats.Conn
	js    jetstream.JetStream
	log   *slog.Logger
	ahead int // see numbered; less in a test
}

// ahead is how far ahead of its turn a chunk of a result is remembered.
const ahead = 1 << 16

// New returns a client that works over nc, which stays the caller's.
func New(nc *nats.Conn, o Options) (*Client, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, fmt.Errorf("using JetStream: %w", err)
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return &Client{nc: nc, js: js, log: o.Logger, ahead: ahead}, nil
}
