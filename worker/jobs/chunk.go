package jobs

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"go.opentelemetry.io/otel/trace"

	"sudoku/solver"
	"sudoku/solver/wire"
)

// A chunk that was delivered this often is given up without another try: it may
// kill the workers before they can say that it failed. It is more than
// Options.Backoff has, because workers that stop or lose the connection are not
// its fault.
const maxDeliveries = 12

// handBack is the delay of a chunk that is handed back: long enough not to come
// back to a worker that is about to unsubscribe.
const handBack = 20 * time.Millisecond

// A delivery is a message of SUDOKU_JOBS in hand.
type delivery struct {
	*nats.Msg
	job        string
	chunk      wire.Chunk
	sequence   uint64 // in SUDOKU_JOBS
	deliveries int    // this one among them
	taken      time.Time
	begun      time.Time // when its search began; zero if there is none

	puzzles [statuses]uint64  // that have an answer
	trace   trace.SpanContext // that it belongs to, if any
	span    trace.Span        // of the delivery; nil if there is none
}

// handle does for m what there is to do, up to its acknowledgement.
func (j *Jobs) handle(m *nats.Msg) {
	meta, err := m.Metadata()
	if err != nil {
		j.log.Error("a message that is not from a consumer", "subject", m.Subject, "error", err)
		return
	}
	job, kind := wire.ParseSubject(m.Subject)
	d := delivery{
		Msg:        m,
		job:        job,
		chunk:      wire.Chunk{Sequence: meta.Sequence.Stream}, // unless its headers say another
		sequence:   meta.Sequence.Stream,
		deliveries: int(meta.NumDelivered),
		taken:      time.Now(),
	}
	j.startSpan(&d)
	switch kind {
	case wire.Answers:
		err = j.answer(&d)
	case wire.Manifest:
		err = j.manifest(&d)
	default:
		err = &wire.Error{Code: wire.CodeBadRequest, Text: "no subject of a job: " + cut(m.Subject)}
	}
	o := j.settle(&d, err)
	j.accounts.add(&d, o)
	endSpan(&d, o, err)
}

// errStopping is why a chunk is handed back.
var errStopping = errors.New("the worker stops")

// settle ends a delivery: err is nil where everything is stored.
func (j *Jobs) settle(d *delivery, err error) (o Outcome) {
	refused := new(wire.Error)
	switch {
	case err == nil:
		err = d.Ack()
	case errors.Is(err, errStopping):
		o = HandedBack
		err = d.NakWithDelay(handBack)
	case errors.As(err, &refused) && (refused.Code != wire.CodeInternal || d.deliveries > len(j.waits)):
		if err = j.bury(d, refused); err != nil {
			o = HandedBack
			err = d.NakWithDelay(handBack)
		} else {
			o = Dead
			err = d.Term()
		}
	default:
		o = Retried
		wait := j.waits[d.deliveries-1]
		j.log.Warn("a chunk failed, it is tried again", "job", d.job, "chunk", d.chunk.Key(), "deliveries", d.deliveries, "in", wait, "error", err)
		err = d.NakWithDelay(wait)
	}
	if err != nil {
		j.log.Warn("acknowledging a chunk", "job", d.job, "error", err)
	}
	return o
}

// answer solves a chunk and stores the answers.
func (j *Jobs) answer(d *delivery) error {
	chunk, err := wire.ParseChunk(d.Header, d.sequence)
	if err != nil {
		return err
	}
	d.chunk = chunk
	desk := j.desks.Get().(*desk)
	defer j.desks.Put(desk)
	if err := j.turn(d, desk); err != nil {
		return err
	}
	j.pull.vacate(d.Msg)
	m := &nats.Msg{Subject: wire.ResultSubject(d.job), Header: d.chunk.Header(), Data: desk.body}
	m.Header.Set(wire.HeaderPuzzles, strconv.Itoa(len(desk.lines)))
	return j.store(d.mark(m), d.chunk.MsgID(d.job))
}

// turn does what is to be done on the desk, once it is d's turn, which does not
// come when the worker stops. What waits is not on the desk yet: it would be in no
// cache any more.
func (j *Jobs) turn(d *delivery, desk *desk) error {
	select {
	case j.solving <- struct{}{}:
		defer func() { <-j.solving }()
	case <-j.stopping.Done():
		return errStopping
	}
	if j.stopping.Err() != nil {
		return errStopping
	}
	if err := desk.read(d.Data); err != nil {
		return err
	}
	if d.deliveries > maxDeliveries {
		return &wire.Error{Code: wire.CodeInternal, Text: fmt.Sprintf("delivered %d times, and no worker lived to say why", d.deliveries-1)}
	}
	d.begun = time.Now()
	if err := j.guarded(desk.results, desk.grids); err != nil {
		return err
	}
	desk.write(&d.puzzles)
	return nil
}

// guarded is solve, with a panic turned into an error.
func (j *Jobs) guarded(dst []solver.Result, src []solver.Grid) (err error) {
	defer func() {
		if p := recover(); p != nil {
			j.log.Error("panic in a search", "panic", p, "stack", string(debug.Stack()))
			err = &wire.Error{Code: wire.CodeInternal, Text: "the worker failed, its log says how"}
		}
	}()
	err = j.solve(j.ctx, dst, src)
	failure := new(wire.Error)
	switch {
	case err == nil, errors.As(err, &failure):
		return err
	case errors.Is(err, context.Canceled):
		return errStopping // ours, or that of who searches
	}
	return &wire.Error{Code: wire.CodeInternal, Text: err.Error()}
}

// manifest passes on that a job is complete.
func (j *Jobs) manifest(d *delivery) error {
	if _, err := wire.ParseManifest(d.Data); err != nil {
		return err
	}
	m := &nats.Msg{Subject: wire.ResultManifestSubject(d.job), Header: nats.Header{}, Data: d.Data}
	return j.store(d.mark(m), wire.ManifestMsgID(d.job))
}

// bury stores d as a dead letter, and in the place of its answers where it has
// one.
func (j *Jobs) bury(d *delivery, why *wire.Error) error {
	j.log.Error("a chunk is given up", "job", d.job, "chunk", d.chunk.Key(), "deliveries", d.deliveries, "error", why)
	subjects := map[string]string{"dead": wire.DeadSubject(d.job)}
	if _, kind := wire.ParseSubject(d.Subject); kind == wire.Answers {
		subjects["failed"] = wire.FailedSubject(d.job, d.chunk)
	}
	for _, as := range slices.Sorted(maps.Keys(subjects)) {
		m := d.letter(why, j.nc.MaxPayload())
		m.Subject = subjects[as]
		err := j.store(m, fmt.Sprintf("%s/%s/%s/%d", d.job, d.chunk.Key(), as, d.sequence))
		if err != nil {
			return err
		}
	}
	return nil
}

// Sizes of a dead letter, which must fit where the chunk did. Headers of a chunk
// beyond maxHeaders are left out, but for its place in the job; a longer subject
// is cut. What letter adds then takes less than roomForHeaders, which is kept free
// in the largest message.
const (
	maxHeaders     = 2 << 10
	maxSubject     = 256
	roomForHeaders = 4 << 10
)

// letter returns a message with what d has, and why nothing became of it. A body
// too large to send with that is cut.
func (d *delivery) letter(why *wire.Error, maxPayload int64) *nats.Msg {
	h := nats.Header{}
	if headerBytes(d.Header) <= maxHeaders {
		maps.Copy(h, d.Header)
	} else {
		maps.Copy(h, d.chunk.Header())
	}
	maps.Copy(h, why.Header())
	if h.Get(wire.HeaderSequence) == "" {
		h.Set(wire.HeaderSequence, strconv.FormatUint(d.sequence, 10))
	}
	h.Set(wire.HeaderSubject, cut(d.Subject))
	h.Set(wire.HeaderPuzzles, strconv.Itoa(wire.CountLines(d.Data)))
	h.Set(wire.HeaderDeliveries, strconv.Itoa(d.deliveries))
	room := max(maxPayload-roomForHeaders, 0)
	return &nats.Msg{Header: h, Data: d.Data[:min(int64(len(d.Data)), room)]}
}

func cut(subject string) string { return subject[:min(len(subject), maxSubject)] }

// headerBytes returns how many bytes h has as a message.
func headerBytes(h nats.Header) (n int) {
	for name, values := range h {
		for _, v := range values {
			n += len(name) + len(": ") + len(v) + len("\r\n")
		}
	}
	return n
}
