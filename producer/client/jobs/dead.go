package jobs

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.opentelemetry.io/otel/trace"

	"sudoku/solver/wire"
	"sudoku/solver/wire/tracing"
)

// A Letter is a dead letter: a chunk that the workers gave up.
type Letter struct {
	Sequence   uint64 // names it; in SUDOKU_DEAD
	Job        string
	Chunk      string      // its number, or s and its sequence in SUDOKU_JOBS
	Puzzles    int         // lines
	Reason     *wire.Error // why it was given up
	Deliveries int         // how often workers had it
	Time       time.Time   // when it was given up
	Body       []byte      // the lines, as text; nil in a list
}

// ErrNoLetter is a sequence that has no dead letter.
var ErrNoLetter = errors.New("no such dead letter")

// Dead yields the dead letters of a job, or of all where job is empty, the oldest
// first. An error ends the sequence; it is one of those of [Client.Setup].
func (c *Client) Dead(ctx context.Context, job string) iter.Seq2[Letter, error] {
	return func(yield func(Letter, error) bool) {
		subject := wire.SubjectDead
		if job != "" {
			subject = wire.DeadSubject(job)
		}
		t := &tail{c: c, stream: wire.StreamDead, filters: []string{subject}, headers: true, from: 1}
		defer t.close()
		err := t.open(ctx)
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			return
		}
		for err == nil && t.pending > 0 {
			var m message
			if m, err = t.next(ctx); err == nil && !yield(letter(m), nil) {
				return
			}
		}
		if err != nil {
			yield(Letter{}, err)
		}
	}
}

// letter reads a dead letter. What a header does not say is left out.
func letter(m message) Letter {
	l := Letter{Sequence: m.sequence, Time: m.time, Reason: wire.ParseError(m.header)}
	l.Job, _ = wire.ParseSubject(m.subject)
	if chunk, err := wire.ParseChunk(m.header, m.sequence); err == nil {
		l.Chunk = chunk.Key()
	}
	l.Puzzles, _ = strconv.Atoi(m.header.Get(wire.HeaderPuzzles))
	l.Deliveries, _ = strconv.Atoi(m.header.Get(wire.HeaderDeliveries))
	return l
}

// Letter returns a dead letter with its body. The error matches [ErrNoLetter],
// or is one of those of [Client.Setup].
func (c *Client) Letter(ctx context.Context, sequence uint64) (Letter, error) {
	m, err := c.dead(ctx, sequence)
	l := letter(m)
	l.Body = wire.JobText(m.data)
	return l, err
}

func (c *Client) dead(ctx context.Context, sequence uint64) (message, error) {
	m, err := c.get(ctx, wire.StreamDead, query{Seq: sequence})
	if errors.Is(err, errNoMessage) {
		err = fmt.Errorf("%w: %d", ErrNoLetter, sequence)
	}
	return m, err
}

// Retry gives the chunk of a dead letter to the workers again, and removes the
// letter and the note among the results that the chunk failed. If it is
// interrupted it may be called again. The errors are those of [Client.Letter].
func (c *Client) Retry(ctx context.Context, sequence uint64) error {
	m, err := c.dead(ctx, sequence)
	if err != nil {
		return err
	}
	job, _ := wire.ParseSubject(m.subject)
	chunk, err := wire.ParseChunk(m.header, m.sequence)
	if err != nil {
		return fmt.Errorf("the chunk cannot be submitted as it is: %w", err)
	}
	// The note goes first: if the chunk fails again there will be another.
	if err := c.purge(ctx, wire.StreamResults, wire.FailedSubject(job, chunk)); err != nil {
		return err
	}
	again := &nats.Msg{Subject: m.header.Get(wire.HeaderSubject), Header: chunk.Header(), Data: m.data}
	again.Header = tracing.Inject(again.Header, trace.SpanContextFromContext(tracing.Extract(ctx, m.header)))
	again.Header.Set(wire.HeaderMsgID, fmt.Sprintf("%s/retry/%d", chunk.MsgID(job), sequence))
	if err := c.publish(ctx, again); err != nil {
		return fmt.Errorf("submitting the chunk again: %w", err)
	}
	return c.Remove(ctx, sequence)
}

// Remove removes a dead letter. Its puzzles stay without answers. The errors are
// those of [Client.Letter].
func (c *Client) Remove(ctx context.Context, sequence uint64) error {
	s, err := c.stream(ctx, wire.StreamDead)
	if err == nil {
		err = c.call(ctx, func(ctx context.Context) error { return s.DeleteMsg(ctx, sequence) })
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, jetstream.ErrMsgNotFound), errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful):
		return fmt.Errorf("%w: %d", ErrNoLetter, sequence)
	}
	return fmt.Errorf("removing dead letter %d: %w", sequence, err)
}
