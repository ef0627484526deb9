package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"sudoku/solver/wire"
)

// A tail reads messages of a stream in the order they were stored, from a
// sequence on and without an end. It outlives the connection and the server: its
// consumer is a throw-away, and made anew where the last one stopped. (The
// ordered consumer of nats.go does the same, but while the server is away it
// does not listen to a context.)
type tail struct {
	c       *Client
	stream  string
	filters []string
	headers bool   // bodies are left out
	from    uint64 // sequence of the next message, or lower

	consumer   jetstream.Consumer        // the last one made
	it         jetstream.MessagesContext // nil where it is closed
	read       uint64                    // messages of this consumer
	reconnects uint64                    // of the connection when it was made
	pending    uint64                    // messages that are stored and not read, as far as is known
}

// What a tail reads ahead: a few megabytes.
const (
	readAhead        = 128
	readAheadHeaders = 4096
)

// abandoned is when the server removes the consumer of a reader that was killed.
const abandoned = time.Minute

// results returns a tail of everything about a job in SUDOKU_RESULTS.
func (c *Client) results(job string, headers bool, from uint64) *tail {
	subject := wire.ResultSubject(job)
	return &tail{c: c, stream: wire.StreamResults, filters: []string{subject, subject + ".>"}, headers: headers, from: max(from, 1)}
}

// open makes the consumer.
func (t *tail) open(ctx context.Context) error {
	err := t.c.call(ctx, func(ctx context.Context) error { return readable(t.consume(ctx)) })
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("reading %s: %w", t.stream, err)
	}
	return err
}

func (t *tail) consume(ctx context.Context) error {
	ahead := readAhead
	if t.headers {
		ahead = readAheadHeaders
	}
	reconnects := t.c.nc.Stats().Reconnects
	consumer, err := t.c.js.CreateConsumer(ctx, t.stream, jetstream.ConsumerConfig{
		FilterSubjects:    t.filters,
		DeliverPolicy:     jetstream.DeliverByStartSequencePolicy,
		OptStartSeq:       t.from,
		AckPolicy:         jetstream.AckNonePolicy,
		HeadersOnly:       t.headers,
		MemoryStorage:     true,
		Replicas:          1,
		InactiveThreshold: abandoned,
	})
	if err != nil {
		return err
	}
	t.it, err = consumer.Messages(jetstream.PullMaxMessages(ahead), jetstream.PullHeartbeat(5*time.Second))
	if err != nil {
		return err
	}
	t.consumer, t.reconnects = consumer, reconnects
	t.read, t.pending = 0, consumer.CachedInfo().NumPending
	return nil
}

// next returns the next message when it is there. The error is that of ctx, or
// why there can be none: [ErrNoJetStream], no stream, or one of the JetStream API.
func (t *tail) next(ctx context.Context) (message, error) {
	for {
		if t.it != nil && t.stale() {
			t.close()
		}
		if t.it == nil {
			if err := t.open(ctx); err != nil {
				return message{}, err
			}
		}
		m, err := t.take(ctx)
		if ctx.Err() != nil {
			return message{}, ctx.Err()
		}
		if err == nil {
			if got, ok := t.accept(m); ok {
				return got, nil
			}
		}
		if errors.Is(err, nats.ErrConnectionClosed) || t.c.nc.IsClosed() {
			return message{}, nats.ErrConnectionClosed
		}
		switch {
		case err == nil || !errors.Is(err, context.DeadlineExceeded) || t.pending > 0:
			t.close()
		default:
			t.count(ctx)
		}
	}
}

// silence is how long a consumer must say nothing before we look whether it is
// still there.
const silence = time.Second

// take waits for the next message of the consumer, for a while.
func (t *tail) take(ctx context.Context) (jetstream.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, silence)
	defer cancel()
	return t.it.Next(jetstream.NextContext(ctx))
}

// stale reports whether the connection has been away, and the consumer with it.
// (nats.go does not always notice.)
func (t *tail) stale() bool { return t.c.nc.Stats().Reconnects != t.reconnects }

// count finds out how many messages are stored and not read. Where it cannot, the
// tail is closed; to open it is to find out.
func (t *tail) count(ctx context.Context) {
	var info *jetstream.ConsumerInfo
	err := limited(ctx, func(ctx context.Context) (err error) {
		info, err = t.consumer.Info(ctx)
		return err
	})
	if err != nil {
		t.close()
		return
	}
	t.pending = info.NumPending + info.Delivered.Consumer - t.read
}

// accept takes over a message, unless one before it was lost.
func (t *tail) accept(m jetstream.Msg) (message, bool) {
	meta, err := m.Metadata()
	if err != nil || meta.Sequence.Consumer != t.read+1 {
		return message{}, false
	}
	t.read++
	t.from, t.pending = meta.Sequence.Stream+1, meta.NumPending
	return message{subject: m.Subject(), header: m.Headers(), data: m.Data(), sequence: meta.Sequence.Stream, time: meta.Timestamp}, true
}

// close removes the consumer, as far as that is possible at the moment; the
// server does it later otherwise. The tail can be read on.
func (t *tail) close() {
	if t.it == nil {
		return
	}
	t.it.Stop()
	t.it = nil
	if t.c.nc.IsConnected() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = t.c.js.DeleteConsumer(ctx, t.stream, t.consumer.CachedInfo().Name)
	}
}
