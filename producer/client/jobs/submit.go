package jobs

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.opentelemetry.io/otel/trace"

	"sudoku/solver"
	"sudoku/solver/wire"
	"sudoku/solver/wire/tracing"
)

// A Puzzle is a line of a job.
type Puzzle struct {
	Grid solver.Grid
	Bad  bool   // there is no grid: the line keeps its place, and is answered as invalid
	Note string // comes back with the answer; no line breaks
}

// NewID returns an id for a job. Ids sort by the time they were made.
func NewID() string {
	const digits = "0123456789abcdefghjkmnpqrstvwxyz" // Crockford's base 32
	var random [8]byte
	rand.Read(random[:])
	ms, more := uint64(time.Now().UnixMilli()), binary.LittleEndian.Uint64(random[:])
	var id [14]byte // 45 bits of time, 25 of chance
	for i := 8; i >= 0; i-- {
		id[i] = digits[ms%32]
		ms /= 32
	}
	for i := 9; i < len(id); i++ {
		id[i] = digits[more%32]
		more /= 32
	}
	return string(id[:])
}

// The chunks of a job. Their limits depend on nothing but the puzzles, so that a
// job that is resumed is cut in the same places.
const (
	chunkPuzzles = 256
	chunkBytes   = 128 << 10 // more than 256 puzzles with short notes take
)

// Errors of a job.
var (
	ErrNoJob     = errors.New("no such job")           // nothing of it is stored, or not any more
	ErrCancelled = errors.New("the job was cancelled") // by [Client.Cancel]
)

// Submit stores puzzles as a job, under an id that [NewID] makes, and returns how
// many there are when JetStream has all of them and the manifest. Its memory is
// bounded. Where the stream is full, the connection away or JetStream silent it
// waits and goes on. Where there are no streams it makes them, with the default
// settings.
//
// When ctx ends, or puzzles ends because its reader was interrupted and ctx with
// it, the job is incomplete; [Client.Resume] goes on with it. Another error is
// [ErrCancelled], [ErrNoJetStream], a note with a line break, nats.ErrMaxPayload,
// or one of the JetStream API.
func (c *Client) Submit(ctx context.Context, job string, puzzles iter.Seq[Puzzle]) (wire.JobManifest, error) {
	return c.submit(ctx, job, puzzles, func(int) bool { return false })
}

// Resume goes on with a job whose Submit did not end, given the same puzzles
// from the beginning: it stores those chunks that are not stored yet. A job
// that is complete stays as it is. The other errors are those of Submit.
func (c *Client) Resume(ctx context.Context, job string, puzzles iter.Seq[Puzzle]) (wire.JobManifest, error) {
	if err := wire.CheckJob(job); err != nil {
		return wire.JobManifest{}, err
	}
	cancelled, err := c.cancelled(ctx, job)
	if err == nil && cancelled {
		err = ErrCancelled
	}
	if err != nil {
		return wire.JobManifest{}, err
	}
	m, err := c.manifest(ctx, job)
	if err != nil {
		return wire.JobManifest{}, err
	}
	if m != nil {
		return *m, nil
	}
	stored, err := c.stored(ctx, job)
	if err != nil {
		return wire.JobManifest{}, err
	}
	return c.submit(ctx, job, puzzles, stored)
}

func (c *Client) submit(ctx context.Context, job string, puzzles iter.Seq[Puzzle], stored func(chunk int) bool) (wire.JobManifest, error) {
	if err := wire.CheckJob(job); err != nil {
		return wire.JobManifest{}, err
	}
	s, err := c.newSubmission(ctx, job, stored)
	if err != nil {
		return wire.JobManifest{}, err
	}
	defer s.end()
	for p := range puzzles {
		if err := s.add(p); err != nil {
			return wire.JobManifest{}, err
		}
	}
	if err := context.Cause(s.ctx); err != nil { // perhaps puzzles ended for that
		return wire.JobManifest{}, err
	}
	return s.finish()
}

// A submission is a Submit under way.
//
//	puzzles ──▶ body ──▶ a window of chunks that are not stored yet
type submission struct {
	c      *Client
	js     jetstream.JetStream // of its own, for its subscription to the acknowledgements
	job    string
	stored func(chunk int) bool
	ctx    context.Context
	cancel context.CancelCauseFunc
	sub    *nats.Subscription // to the job being cancelled

	body    []byte
	lines   int // of body
	chunk   int // the next
	first   int // number of its first puzzle
	window  *window
	flight  []chan struct{} // of the chunks in it, in order; closed when one is stored
	sending sync.WaitGroup
	reached atomic.Bool // JetStream has stored something
	making  sync.Once   // the streams
	made    error       // what it came to
}

func (c *Client) newSubmission(ctx context.Context, job string, stored func(int) bool) (*submission, error) {
	js, err := jetstream.New(c.nc)
	if err != nil {
		return nil, fmt.Errorf("using JetStream: %w", err)
	}
	s := &submission{c: c, js: js, job: job, stored: stored, window: newWindow()}
	s.ctx, s.cancel = context.WithCancelCause(ctx)
	s.sub, err = c.nc.Subscribe(wire.CancelledSubject(job), func(*nats.Msg) { s.cancel(ErrCancelled) })
	if err != nil {
		return nil, fmt.Errorf("subscribing to the end of the job: %w", err)
	}
	return s, nil
}

func (s *submission) end() {
	s.cancel(nil)
	s.sending.Wait()
	s.js.CleanupPublisher()
	_ = s.sub.Unsubscribe() // fails only where the connection is closed
}

// add puts p into the chunk, and sends that when p does not fit any more.
func (s *submission) add(p Puzzle) error {
	if strings.ContainsAny(p.Note, "\r\n") {
		return fmt.Errorf("puzzle %d: a note with a line break: %q", s.first+s.lines+1, p.Note)
	}
	g := &p.Grid
	if p.Bad {
		g = nil
	}
	if s.lines == chunkPuzzles || s.lines > 0 && len(s.body)+len(p.Grid)+len(p.Note)+2 > chunkBytes {
		if err := s.send(); err != nil {
			return err
		}
	}
	s.body = wire.AppendJobLine(s.body, g, []byte(p.Note))
	s.lines++
	if s.ctx.Err() != nil { // Cause takes a lock
		return context.Cause(s.ctx)
	}
	return nil
}

// send publishes the chunk, once the window has a place for it.
func (s *submission) send() error {
	if s.lines == 0 {
		return nil
	}
	if err := s.await(s.window.size() - 1); err != nil {
		return err
	}
	if !s.stored(s.chunk) {
		c := wire.Chunk{Numbered: true, Packed: true, Number: s.chunk, First: s.first}
		s.publish(&nats.Msg{Subject: wire.JobSubject(s.job), Header: c.Header(), Data: s.body}, c.MsgID(s.job))
	}
	s.chunk++
	s.first += s.lines
	s.body, s.lines = make([]byte, 0, cap(s.body)), 0
	return nil
}

// finish sends what is left, waits until it is stored, and stores the manifest.
func (s *submission) finish() (wire.JobManifest, error) {
	if err := s.send(); err != nil {
		return wire.JobManifest{}, err
	}
	if err := s.await(0); err != nil {
		return wire.JobManifest{}, err
	}
	m := wire.JobManifest{Chunks: s.chunk, Puzzles: s.first}
	s.publish(&nats.Msg{Subject: wire.ManifestSubject(s.job), Header: nats.Header{}, Data: m.Encode()}, wire.ManifestMsgID(s.job))
	if err := s.await(0); err != nil {
		return wire.JobManifest{}, err
	}
	return m, nil
}

// await waits until at most n messages are not stored yet.
func (s *submission) await(n int) error {
	for len(s.flight) > n {
		select {
		case <-s.flight[0]:
			s.flight = s.flight[1:]
		case <-s.ctx.Done():
			return context.Cause(s.ctx)
		}
	}
	return context.Cause(s.ctx)
}

// publish sends m before it returns, and adds it to what is in flight.
func (s *submission) publish(m *nats.Msg, id string) {
	m.Header.Set(wire.HeaderMsgID, id)
	m.Header = tracing.Inject(m.Header, trace.SpanContextFromContext(s.ctx))
	done := make(chan struct{})
	s.flight = append(s.flight, done)
	sent := time.Now()
	future, err := s.js.PublishMsgAsync(m)
	s.sending.Go(func() {
		if err := s.outcome(future, err); err == nil {
			s.window.stored(time.Now(), time.Since(sent))
		} else if !s.retry(m, err) {
			return
		}
		s.reached.Store(true)
		close(done)
	})
}

// retry sends m, which was not stored because of err, until it is stored. It
// returns false where the submission has ended.
func (s *submission) retry(m *nats.Msg, err error) bool {
	for wait := minWait; s.again(m, err, wait); wait = min(2*wait, maxWait) {
		if err = s.outcome(s.js.PublishMsgAsync(m)); err == nil {
			return true
		}
	}
	return false
}

// Times of publishing.
const (
	minWait    = 50 * time.Millisecond // before a message is sent again
	maxWait    = 2 * time.Second
	ackTimeout = 10 * time.Second // after which an acknowledgement counts as lost
)

var errNoAck = errors.New("no acknowledgement from JetStream")

// outcome waits for the acknowledgement of a message that was published, unless err
// says that it was not.
func (s *submission) outcome(future jetstream.PubAckFuture, err error) error {
	if err != nil {
		return err
	}
	lost := time.NewTimer(ackTimeout)
	defer lost.Stop()
	select {
	case <-future.Ok():
		return nil
	case err := <-future.Err():
		return err
	case <-lost.C:
		return errNoAck
	case <-s.ctx.Done():
		return context.Cause(s.ctx)
	}
}

// again decides what becomes of a message that was not stored: it waits and
// returns true, or ends the submission with err.
func (s *submission) again(m *nats.Msg, err error, wait time.Duration) bool {
	if s.ctx.Err() != nil {
		return false
	}
	if errors.Is(err, jetstream.ErrNoStreamResponse) && !s.reached.Load() {
		s.making.Do(func() { s.made = s.c.create(s.ctx) })
		if err, wait = s.made, 0; err != nil {
			s.cancel(err)
			return false
		}
	}
	if s.c.nc.IsClosed() {
		err = nats.ErrConnectionClosed // nats.go does not always say it so that it can be recognised
	}
	if err != nil && !passing(err) {
		s.cancel(fmt.Errorf("submitting to %s: %w", m.Subject, err))
		return false
	}
	if err != nil {
		s.c.log.Info("submitting waits", "job", s.job, "for", wait, "because", err)
	}
	select {
	case <-time.After(wait):
		return true
	case <-s.ctx.Done():
		return false
	}
}

// Codes of the JetStream API that say that something is full.
const (
	codeAccountFull = 10002
	codeStorageFull = 10047
	codeStoreFailed = 10077 // with Code 503: maximum bytes exceeded
)

// passing reports whether trying again can help.
func passing(err error) bool {
	api := new(jetstream.APIError)
	if errors.As(err, &api) {
		return api.Code == 503 || api.ErrorCode == codeAccountFull || api.ErrorCode == codeStorageFull || api.ErrorCode == codeStoreFailed
	}
	return !errors.Is(err, nats.ErrConnectionClosed) && !errors.Is(err, nats.ErrMaxPayload) && !errors.Is(err, nats.ErrConnectionDraining)
}
