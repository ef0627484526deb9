package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"sudoku/solver/wire"
)

// A message is one that is stored in a stream.
type message struct {
	subject  string
	header   nats.Header
	data     []byte
	sequence uint64
	time     time.Time
}

// A query is a request of the direct get API, which needs no consumer:
// https://github.com/nats-io/nats-architecture-and-design/blob/main/adr/ADR-31.md.
type query struct {
	Seq  uint64 `json:"seq,omitempty"`
	Next string `json:"next_by_subj,omitempty"` // the first one from Seq on that has this subject
	Last string `json:"last_by_subj,omitempty"`
}

// errNoMessage is a query that finds nothing.
var errNoMessage = errors.New("no such message")

// get returns a message of a stream, or errNoMessage.
func (c *Client) get(ctx context.Context, stream string, q query) (m message, err error) {
	err = c.call(ctx, func(ctx context.Context) error {
		m, err = c.ask(ctx, stream, q)
		return err
	})
	if err != nil && err != errNoMessage {
		err = fmt.Errorf("looking into %s: %w", stream, err)
	}
	return m, err
}

// ask makes a query once.
func (c *Client) ask(ctx context.Context, stream string, q query) (message, error) {
	body, err := json.Marshal(q)
	if err != nil {
		panic(err) // texts and numbers can be marshalled
	}
	m, err := c.nc.RequestWithContext(ctx, "$JS.API.DIRECT.GET."+stream, body)
	switch {
	case errors.Is(err, nats.ErrNoResponders): // no such stream, or nobody leads it at the moment
		if _, absent := c.stream(ctx, stream); errors.Is(absent, jetstream.ErrStreamNotFound) {
			return message{}, errNoMessage
		} else if absent != nil {
			err = absent
		}
		return message{}, err
	case err != nil:
		return message{}, err
	case m.Header.Get("Status") == "404":
		return message{}, errNoMessage
	case m.Header.Get("Nats-Sequence") == "":
		return message{}, fmt.Errorf("%s %s", m.Header.Get("Status"), m.Header.Get("Description"))
	}
	return direct(m)
}

// direct reads the answer to a query.
func direct(m *nats.Msg) (message, error) {
	sequence, err := strconv.ParseUint(m.Header.Get("Nats-Sequence"), 10, 64)
	if err != nil {
		return message{}, fmt.Errorf("a stored message without a sequence: %w", err)
	}
	at, err := time.Parse(time.RFC3339Nano, m.Header.Get("Nats-Time-Stamp"))
	if err != nil {
		return message{}, fmt.Errorf("a stored message without a time: %w", err)
	}
	return message{subject: m.Header.Get("Nats-Subject"), header: m.Header, data: m.Data, sequence: sequence, time: at}, nil
}

// last returns the last message of a subject, or nil.
func (c *Client) last(ctx context.Context, stream, subject string) (*message, error) {
	return orNone(c.get(ctx, stream, query{Last: subject}))
}

// next returns the first message of a subject from a sequence on, or nil.
func (c *Client) next(ctx context.Context, stream, subject string, sequence uint64) (*message, error) {
	return orNone(c.get(ctx, stream, query{Seq: max(sequence, 1), Next: subject}))
}

func orNone(m message, err error) (*message, error) {
	switch {
	case err == nil:
		return &m, nil
	case errors.Is(err, errNoMessage):
		return nil, nil
	}
	return nil, err
}

// manifest returns the manifest of a job, or nil where there is none yet.
func (c *Client) manifest(ctx context.Context, job string) (*wire.JobManifest, error) {
	places := []struct{ stream, subject string }{
		{wire.StreamJobs, wire.ManifestSubject(job)}, // first: a worker stores it in the other before it leaves this one
		{wire.StreamResults, wire.ResultManifestSubject(job)},
	}
	for _, p := range places {
		m, err := c.last(ctx, p.stream, p.subject)
		if err != nil {
			return nil, err
		}
		if m != nil {
			manifest, err := wire.ParseManifest(m.data)
			return &manifest, err
		}
	}
	return nil, nil
}

// cancelled reports whether a job was given up.
func (c *Client) cancelled(ctx context.Context, job string) (bool, error) {
	m, err := c.last(ctx, wire.StreamResults, wire.CancelledSubject(job))
	return m != nil, err
}

// pending returns the lowest sequence of the chunks of a job that are not done;
// math.MaxUint64 where there is none.
func (c *Client) pending(ctx context.Context, job string) (uint64, error) {
	m, err := c.next(ctx, wire.StreamJobs, wire.JobSubject(job), 1)
	if err != nil || m == nil {
		return math.MaxUint64, err
	}
	return m.sequence, nil
}
