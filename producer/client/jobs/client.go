package jobs

import (
	"errors"
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

// ErrOldServer is a server that lacks what jobs need. It takes most of it
// without a word, so that a job would be stored and never found again.
var ErrOldServer = errors.New("durable jobs need nats-server 2.10 or newer")

// New returns a client that works over nc, which stays the caller's. The error
// matches [ErrOldServer]; a server that nc reaches later is not looked at.
func New(nc *nats.Conn, o Options) (*Client, error) {
	if version := nc.ConnectedServerVersion(); old(version) {
		return nil, fmt.Errorf("%w, this is %s", ErrOldServer, version)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, fmt.Errorf("using JetStream: %w", err)
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return &Client{nc: nc, js: js, log: o.Logger, ahead: ahead}, nil
}

// old reports whether a version is below 2.10: consumers cannot filter by several
// subjects there. Where there is no version to be read, there is no server yet.
func old(version string) bool {
	var major, minor int
	_, err := fmt.Sscanf(version, "%d.%d", &major, &minor)
	return err == nil && (major < 2 || major == 2 && minor < 10)
}
