package jobs

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"sudoku/solver"
	"sudoku/solver/wire"
)

// An Answer is what became of a puzzle of a job.
type Answer struct {
	Index  int // which puzzle of the job, from 0
	Puzzle Puzzle
	Text   string        // of a Bad puzzle: the line as it was sent, without the note
	Result solver.Result // the zero Result where Err is an [*wire.Error]

	// Err is why there is no solution, as of client.Client.Solve, or an
	// [*wire.Error] where the workers failed at the puzzle's chunk, which is now a
	// dead letter; nil where there is a solution.
	Err error
}

// Reading says what Results returns.
type Reading struct {
	From   int  // the first puzzle, from 0
	Follow bool // wait for what is not there yet
}

// An IncompleteError ends the results of a job where they are not all there.
type IncompleteError struct {
	Job    string
	Answer int  // how many puzzles, from the first of the job, have their answers here
	Lost   bool // the next ones will not come: their results are not kept any more
}

func (e *IncompleteError) Error() string {
	if e.Lost {
		return fmt.Sprintf("job %s: the answers after the first %d are not kept any more", e.Job, e.Answer)
	}
	return fmt.Sprintf("job %s: not solved yet after the first %d puzzles", e.Job, e.Answer)
}

// Results yields the answers of a job in the order of its puzzles, each once. It
// may be called from anywhere, several times, and while the workers are at it.
// A loop that was left goes on with Reading.From.
//
// An error ends the sequence: [ErrNoJob], [ErrCancelled], an
// [*IncompleteError], [ErrNoJetStream], or one of the JetStream API or of ctx.
// With Follow a job that does not exist is waited for, and so is what is not
// solved. A job without a manifest may grow, so it ends with what is there, or,
// with Follow, with ctx.
//
// Chunks that come before their turn are remembered by number alone and read
// again, so the memory is bounded: some 10 MB. In a job whose chunks have no
// numbers 16 bytes are kept for each of them.
func (c *Client) Results(ctx context.Context, job string, o Reading) iter.Seq2[Answer, error] {
	return func(yield func(Answer, error) bool) {
		err := wire.CheckJob(job)
		if err == nil {
			err = c.read(ctx, job, o, yield)
		}
		if err != nil && err != errLeft {
			yield(Answer{}, err)
		}
	}
}

// errLeft is a loop that was left.
var errLeft = errors.New("loop left")

// quiet is how long nothing must come before a reader that follows looks whether
// anything still can.
const quiet = 2 * time.Second

// A reader is one Results under way. Messages come in the order in which workers
// were done with the chunks; order has them wait for their turn.
type reader struct {
	c     *Client
	ctx   context.Context
	job   string
	o     Reading
	yield func(Answer, error) bool

	tail      *tail
	order     order             // nil until there is a result
	manifest  *wire.JobManifest // nil until it is known
	cancelled bool
	chunks    int // forwarded
	index     int // number of the next puzzle
}

// An order knows the turns of chunks.
type order interface {
	// take notes that a chunk has come with m.
	take(chunk wire.Chunk, m message) error

	// forward forwards the chunks whose turn has come. Read says that there is
	// nothing more to read at the moment. Done is true where nothing more will
	// come, unless more is submitted.
	forward(read bool) (done bool, err error)
}

func (c *Client) read(ctx context.Context, job string, o Reading, yield func(Answer, error) bool) error {
	r := &reader{c: c, ctx: ctx, job: job, o: o, yield: yield}
	r.reopen(1, false)
	defer func() { r.tail.close() }()
	if err := r.learn(); err != nil {
		return err
	}
	if o.From > 0 {
		r.reopen(1, true)
	}
	for idle := false; ; {
		if r.tail.it == nil {
			if err := r.open(); err != nil {
				return err
			}
		}
		end, err := r.advance(idle)
		if end || err != nil {
			return err
		}
		if idle, err = r.receive(); err != nil {
			return err
		}
	}
}

// reopen has the tail begin at a sequence. Headers leaves out bodies.
func (r *reader) reopen(sequence uint64, headers bool) {
	if r.tail != nil {
		r.tail.close()
	}
	r.tail = r.c.results(r.job, headers, sequence)
}

// open opens the tail. Where there is no stream, one that follows waits for it.
func (r *reader) open() error {
	for {
		err := r.tail.open(r.ctx)
		switch {
		case !errors.Is(err, jetstream.ErrStreamNotFound):
			return err
		case !r.o.Follow:
			return ErrNoJob
		}
		select {
		case <-time.After(minWait):
		case <-r.ctx.Done():
			return context.Cause(r.ctx)
		}
	}
}

// learn looks for the manifest, and whether the job was cancelled.
func (r *reader) learn() (err error) {
	if r.manifest, err = r.c.manifest(r.ctx, r.job); err != nil {
		return err
	}
	r.cancelled, err = r.c.cancelled(r.ctx, r.job)
	return err
}

// receive takes the next message. Idle is true where none came for a while.
func (r *reader) receive() (idle bool, err error) {
	ctx := r.ctx
	if r.tail.pending == 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, quiet)
		defer cancel()
	}
	m, err := r.tail.next(ctx)
	if err != nil && r.ctx.Err() == nil && ctx.Err() != nil {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	_, kind := wire.ParseSubject(m.subject)
	switch kind {
	case wire.Manifest, wire.Cancelled:
		return false, r.learn()
	case wire.Answers, wire.Failed:
		return false, r.take(m)
	}
	return false, nil
}

func (r *reader) take(m message) error {
	chunk, err := wire.ParseChunk(m.header, m.sequence)
	if err != nil {
		return fmt.Errorf("result %d: %w", m.sequence, err)
	}
	if r.order == nil {
		r.order = r.newOrder(chunk)
	}
	return r.order.take(chunk, m)
}

func (r *reader) newOrder(c wire.Chunk) order {
	if c.Numbered {
		return &numbered{reader: r, seeking: r.o.From > 0, early: make([]uint64, r.c.ahead)}
	}
	if r.o.From > 0 {
		r.reopen(1, false) // only the answers say which puzzles they are
	}
	return &loose{reader: r}
}

// advance forwards what it can, and returns whether that was the end.
func (r *reader) advance(idle bool) (end bool, err error) {
	done := true
	read := r.tail.pending == 0
	if r.order != nil {
		if done, err = r.order.forward(read); err != nil {
			return false, err
		}
		read = r.tail.pending == 0 && r.tail.it != nil
	}
	switch {
	case r.complete():
		return true, nil
	case !read || r.o.Follow && !idle:
		return false, nil
	case r.cancelled:
		return true, ErrCancelled
	}
	return r.judge(done)
}

// complete reports whether everything is forwarded.
func (r *reader) complete() bool {
	return r.manifest != nil && (r.chunks >= r.manifest.Chunks || r.o.From >= r.manifest.Puzzles)
}

// judge decides whether there is more to wait for, where everything stored was
// read. Done says that there is not, but for the rest of a growing job.
func (r *reader) judge(done bool) (end bool, err error) {
	// A worker passes the manifest on, but not if it was killed, before another
	// gets it.
	if r.o.Follow && r.manifest == nil {
		if err := r.learn(); err != nil || r.manifest != nil {
			return r.complete(), err
		}
	}
	// The last message would do as well, but nats-server 2.15.3 does not find it when
	// later files of the stream were emptied from the end backwards, as workers may.
	waits, err := r.c.next(r.ctx, wire.StreamJobs, wire.JobSubject(r.job), 1)
	if err != nil {
		return false, err
	}
	switch _, loose := r.order.(*loose); {
	case r.order == nil && waits == nil && r.manifest == nil:
		return !r.o.Follow, orFollow(r.o.Follow, ErrNoJob)
	case waits == nil && r.manifest != nil:
		return r.lost()
	case loose && done:
		return !r.o.Follow, nil
	}
	return !r.o.Follow, orFollow(r.o.Follow, &IncompleteError{Job: r.job, Answer: max(r.index, r.o.From)})
}

func orFollow(follow bool, err error) error {
	if follow {
		return nil
	}
	return err
}

// lost is judge where all chunks are done and some results are not here. They
// may have come since.
func (r *reader) lost() (end bool, err error) {
	if r.unread() {
		return false, nil
	}
	return true, &IncompleteError{Job: r.job, Answer: r.index, Lost: true}
}

// unread reports whether there may be results of the job that the tail has not
// read.
func (r *reader) unread() bool {
	r.tail.count(r.ctx)
	return r.tail.it == nil || r.tail.pending > 0
}

// fetch returns a message that has been read before; nil where it is gone, as a
// failed chunk is that is tried again.
func (r *reader) fetch(sequence uint64) (*message, error) {
	return orNone(r.c.get(r.ctx, wire.StreamResults, query{Seq: sequence}))
}

// send forwards the answers of a chunk.
func (r *reader) send(m message) error {
	r.chunks++
	if failure := wire.ParseError(m.header); failure != nil {
		for line := range wire.ParseFailed(m.data) {
			if err := r.answer(line, failure); err != nil {
				return err
			}
		}
		return nil
	}
	for line, err := range wire.ParseJobResults(m.data) {
		if err != nil {
			return fmt.Errorf("result %d: %w", m.sequence, err)
		}
		if err := r.answer(line, nil); err != nil {
			return err
		}
	}
	return nil
}

// answer forwards one answer.
func (r *reader) answer(line *wire.JobResult, failure *wire.Error) error {
	index := r.index
	r.index++
	if index < r.o.From {
		return nil
	}
	err := line.Puzzle.Err
	switch {
	case failure != nil:
		err = failure
	case err != nil:
	case line.Solution == solver.Grid{}:
		err = line.Err(line.Puzzle.Grid)
	case !line.Solution.Keeps(&line.Puzzle.Grid):
		return fmt.Errorf("puzzle %d: %s is no solution of %s", index, line.Solution, line.Puzzle.Grid)
	}
	if !r.yield(Answer{
		Index:  index,
		Puzzle: Puzzle{Grid: line.Puzzle.Grid, Bad: line.Puzzle.Err != nil, Note: string(line.Note)},
		Text:   string(line.Text),
		Result: line.Result,
		Err:    err,
	}, nil) {
		return errLeft
	}
	return nil
}
