package jobs

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"sudoku/solver/wire"
)

// Streams are the settings of the three streams and the workers' consumer. The
// zero value is good for one server.
type Streams struct {
	Replicas     int           // servers that keep a copy, 1 to 5; 0 means 1
	Memory       bool          // keep messages in memory instead of files
	JobsBytes    int64         // what may wait in SUDOKU_JOBS; 0 means 1 GiB, some 12 million puzzles
	ResultsBytes int64         // what SUDOKU_RESULTS keeps, the oldest goes first; 0 means no limit
	ResultsAge   time.Duration // how long results are kept; 0 means 7 days
	DeadAge      time.Duration // how long dead letters are kept; 0 means 30 days
	AckWait      time.Duration // how long a worker may be silent before others get its chunks; 0 means 15 s
}

// Duplicates is how long the streams remember message ids.
const duplicates = 10 * time.Minute

// maxWaiting is how many workers may wait for chunks at a time.
const maxWaiting = 1 << 14

const gib = 1 << 30

func (s Streams) configs() []jetstream.StreamConfig {
	jobs := s.config(wire.StreamJobs, wire.SubjectJobs, "puzzles that wait for a worker")
	jobs.Retention = jetstream.WorkQueuePolicy
	jobs.Discard = jetstream.DiscardNew
	jobs.MaxBytes = or(s.JobsBytes, gib)
	results := s.config(wire.StreamResults, wire.SubjectResults, "answers")
	results.MaxBytes = or(s.ResultsBytes, -1)
	results.MaxAge = or(s.ResultsAge, 7*24*time.Hour)
	dead := s.config(wire.StreamDead, wire.SubjectDead, "chunks that were given up")
	dead.MaxAge = or(s.DeadAge, 30*24*time.Hour)
	return []jetstream.StreamConfig{jobs, results, dead}
}

func (s Streams) config(name, subject, description string) jetstream.StreamConfig {
	c := jetstream.StreamConfig{
		Name:        name,
		Description: "sudoku: " + description,
		Subjects:    []string{subject},
		Replicas:    or(s.Replicas, 1),
		MaxBytes:    -1,
		Duplicates:  duplicates,
		AllowDirect: true,
	}
	if s.Memory {
		c.Storage = jetstream.MemoryStorage
	}
	return c
}

// consumer has no limit of deliveries: the workers count them, so that no chunk
// can be given up without a dead letter.
func (s Streams) consumer() jetstream.ConsumerConfig {
	return jetstream.ConsumerConfig{
		Durable:       wire.ConsumerJobs,
		Description:   "sudoku: shared by the workers",
		AckPolicy:     jetstream.AckExplicitPolicy,
		AckWait:       or(s.AckWait, 15*time.Second),
		MaxDeliver:    -1,
		MaxAckPending: -1,
		MaxWaiting:    maxWaiting,
	}
}

// or returns v, or def where v is zero.
func or[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}

// A Change is a difference between what the server has and what is wanted.
type Change struct {
	Of    string // a stream, or a stream and its consumer
	Field string // as the JetStream API calls it; empty where all of it is absent
	Have  string
	Want  string
}

func (c Change) String() string {
	if c.Field == "" {
		return fmt.Sprintf("%s: create", c.Of)
	}
	return fmt.Sprintf("%s: %s is %s, want %s", c.Of, c.Field, c.Have, c.Want)
}

// ErrNoJetStream is a server, or an account on it, without JetStream.
var ErrNoJetStream = errors.New("JetStream is not enabled on the NATS server, or not for this account")

// Diff returns what [Client.Setup] would change. The error matches
// [ErrNoJetStream], or is one of the JetStream API or of ctx.
func (c *Client) Diff(ctx context.Context, s Streams) ([]Change, error) {
	var all []Change
	for _, want := range s.configs() {
		have, err := c.stream(ctx, want.Name)
		if err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			return nil, fmt.Errorf("looking at %s: %w", want.Name, err)
		}
		if err != nil {
			all = append(all, Change{Of: want.Name})
			continue
		}
		all = append(all, diff(want.Name, streamFields, have.CachedInfo().Config, want)...)
	}
	consumer, err := c.workers(ctx)
	switch {
	case errors.Is(err, jetstream.ErrStreamNotFound), errors.Is(err, jetstream.ErrConsumerNotFound):
		return append(all, Change{Of: consumerName}), nil
	case err != nil:
		return nil, fmt.Errorf("looking at %s: %w", consumerName, err)
	}
	return append(all, diff(consumerName, consumerFields, consumer.CachedInfo().Config, s.consumer())...), nil
}

const consumerName = wire.StreamJobs + "/" + wire.ConsumerJobs

// Setup makes the streams and the consumer, or changes them to what s says, and
// returns what it changed: nothing the second time. It checks what the server
// has really made of it, because servers ignore what they do not know. The
// errors are those of [Client.Diff], and a change that JetStream does not allow,
// such as that of the storage.
func (c *Client) Setup(ctx context.Context, s Streams) ([]Change, error) {
	changes, err := c.Diff(ctx, s)
	if err != nil || len(changes) == 0 {
		return nil, err
	}
	for _, want := range s.configs() {
		if _, err := c.js.CreateOrUpdateStream(ctx, want); err != nil {
			return nil, fmt.Errorf("setting up %s: %w", want.Name, readable(err))
		}
	}
	if _, err := c.js.CreateOrUpdateConsumer(ctx, wire.StreamJobs, s.consumer()); err != nil {
		return nil, fmt.Errorf("setting up %s: %w", consumerName, readable(err))
	}
	left, err := c.Diff(ctx, s)
	if err != nil {
		return nil, err
	}
	if len(left) > 0 {
		return nil, fmt.Errorf("the server did not take all of it: %s", join(left))
	}
	return changes, nil
}

// create makes what is absent, with the default settings.
func (c *Client) create(ctx context.Context) error {
	c.log.Info("making the streams")
	for _, want := range (Streams{}).configs() {
		if _, err := c.js.CreateStream(ctx, want); err != nil && !errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
			return fmt.Errorf("making %s: %w", want.Name, readable(err))
		}
	}
	if _, err := c.js.CreateConsumer(ctx, wire.StreamJobs, Streams{}.consumer()); err != nil && !errors.Is(err, jetstream.ErrConsumerExists) {
		return fmt.Errorf("making %s: %w", consumerName, readable(err))
	}
	return nil
}

func join(changes []Change) string {
	var texts []string
	for _, c := range changes {
		texts = append(texts, c.String())
	}
	return strings.Join(texts, "; ")
}

// A field is one that we care about in a configuration.
type field[T any] struct {
	name string
	of   func(T) any
}

var streamFields = []field[jetstream.StreamConfig]{
	{"subjects", func(c jetstream.StreamConfig) any { return c.Subjects }},
	{"retention", func(c jetstream.StreamConfig) any { return c.Retention }},
	{"discard", func(c jetstream.StreamConfig) any { return c.Discard }},
	{"storage", func(c jetstream.StreamConfig) any { return c.Storage }},
	{"num_replicas", func(c jetstream.StreamConfig) any { return c.Replicas }},
	{"max_bytes", func(c jetstream.StreamConfig) any { return c.MaxBytes }},
	{"max_age", func(c jetstream.StreamConfig) any { return c.MaxAge }},
	{"duplicate_window", func(c jetstream.StreamConfig) any { return c.Duplicates }},
	{"allow_direct", func(c jetstream.StreamConfig) any { return c.AllowDirect }},
}

var consumerFields = []field[jetstream.ConsumerConfig]{
	{"ack_policy", func(c jetstream.ConsumerConfig) any { return c.AckPolicy }},
	{"ack_wait", func(c jetstream.ConsumerConfig) any { return c.AckWait }},
	{"max_deliver", func(c jetstream.ConsumerConfig) any { return c.MaxDeliver }},
	{"max_ack_pending", func(c jetstream.ConsumerConfig) any { return c.MaxAckPending }},
	{"max_waiting", func(c jetstream.ConsumerConfig) any { return c.MaxWaiting }},
}

func diff[T any](of string, fields []field[T], have, want T) []Change {
	var changes []Change
	for _, f := range fields {
		if h, w := fmt.Sprint(f.of(have)), fmt.Sprint(f.of(want)); h != w {
			changes = append(changes, Change{Of: of, Field: f.name, Have: h, Want: w})
		}
	}
	return changes
}
