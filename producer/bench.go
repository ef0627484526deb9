package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"sudoku/producer/client"
	"sudoku/solver"
)

type benchCommand struct {
	inputFlags
	queueFlags
	Window   int           `group:"Queue" default:"64" help:"Messages on their way at a time: 1 to 4096."`
	Batch    int           `group:"Queue" default:"256" help:"Puzzles in a message: 1 to 4096."`
	Duration time.Duration `default:"2s" help:"How long to measure each part: 1ms to 1h."`
	JSON     bool          `help:"Print the report as JSON, with times in microseconds."`
}

// Validate is called by kong.
func (c *benchCommand) Validate() error {
	if c.Duration < time.Millisecond || c.Duration > time.Hour {
		return fmt.Errorf("--duration=%v is not from 1ms to 1h", c.Duration)
	}
	return cmp.Or(c.queueFlags.check(), within("window", c.Window, 1, 4096), within("batch", c.Batch, 1, 4096))
}

func (c *benchCommand) Run(p *program) error {
	puzzles, err := c.grids(p)
	if err != nil {
		return err
	}
	q, err := p.queue(c.NATS, "")
	if err != nil {
		return err
	}
	defer q.stop()
	b := &bench{benchCommand: c, ctx: p.ctx, queue: q, puzzles: puzzles}
	r, err := b.run()
	switch {
	case err != nil:
		return cmp.Or(fatal(err), err)
	case p.ctx.Err() != nil:
		return errInterrupted
	case c.JSON:
		return json.NewEncoder(p.stdout).Encode(r)
	}
	return r.print(p.stdout)
}

// maxBenchPuzzles bounds what is kept of the input.
const maxBenchPuzzles = 1 << 20

// grids returns the puzzles of the input that are not bad, or else some of our
// own.
func (c *benchCommand) grids(p *program) (gs []solver.Grid, err error) {
	if len(c.Puzzles) == 0 {
		return benchPuzzles(4096), nil
	}
	sources, err := p.sources(c.Puzzles)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(p.ctx)
	defer cancel()
	for puzzle, err := range puzzles(ctx, read(ctx, sources, c.format())) {
		if err != nil {
			return nil, err
		}
		if puzzle.Err == nil {
			gs = append(gs, puzzle.Grid)
		}
		if len(gs) == maxBenchPuzzles {
			break
		}
	}
	if len(gs) == 0 {
		return nil, fmt.Errorf("no puzzle in the input to measure with: %w", errUsage)
	}
	return gs, nil
}

// A bench measures the workers and, in the same run and over the same server, a
// responder that does nothing but send back what it gets.
type bench struct {
	*benchCommand
	ctx     context.Context
	queue   queue
	puzzles []solver.Grid
}

func (b *bench) run() (r report, err error) {
	nc, err := b.queue.connect()
	if err != nil {
		return r, err
	}
	defer nc.Close()
	e, err := b.startEcho(nc)
	if err != nil {
		return r, err
	}
	defer e.stop()
	r = report{CPUs: runtime.GOMAXPROCS(0), Puzzles: len(b.puzzles), Window: b.Window, Batch: b.Batch}
	if err := b.singles(nc, e, &r); err != nil {
		return r, err
	}
	return r, b.many(nc, e, &r)
}

// many measures a window of messages. The parts take turns, so that the noise of
// the machine is the same for all.
func (b *bench) many(nc *nats.Conn, e *echo, r *report) error {
	echoes, ones := newRecorder(), newRecorder()
	echoed, batches, searches := newRecorder(), newRecorder(), newRecorder()
	for range turns {
		if err := e.pipeline(b, 1, echoes); err != nil {
			return err
		}
		if err := b.stream(nc, 1, ones); err != nil {
			return err
		}
		if err := e.pipeline(b, b.Batch, echoed); err != nil {
			return err
		}
		if err := b.stream(nc, b.Batch, batches); err != nil {
			return err
		}
		b.solver(searches)
	}
	r.EchoPipelined, r.SolvePipelined = echoes.rates(), ones.rates()
	r.EchoBatched, r.SolveBatched, r.Solver = echoed.rates(), batches.rates(), searches.rates()
	return nil
}

// turns is into how many pieces each part is cut.
const turns = 5

// singles measures one request at a time. The parts take turns here as well.
func (b *bench) singles(nc *nats.Conn, e *echo, r *report) error {
	c, err := client.New(nc, b.options())
	if err != nil {
		return err
	}
	defer c.Close()
	echoes, solves, searches := newRecorder(), newRecorder(), newRecorder()
	for g := range b.cycle(3 * b.Duration) {
		start := time.Now()
		if err := e.request(b.ctx, g); err != nil {
			return err
		}
		echoes.since(start)
		echoes.add(1, time.Since(start))
		start = time.Now()
		if _, err := c.Solve(b.ctx, g); failed(err) {
			return err
		}
		solves.since(start)
		solves.add(1, time.Since(start))
		start = time.Now()
		solver.Solve(b.ctx, g)
		searches.since(start)
		searches.add(1, time.Since(start))
	}
	r.EchoSingle, r.SolveSingle, r.SolverSingle = echoes.rates(), solves.rates(), searches.rates()
	return nil
}

// failed reports whether err says that there is no answer.
func failed(err error) bool { return err != nil && classify(err) == "failed" }

// cycle yields the puzzles over and over for d.
func (b *bench) cycle(d time.Duration) func(func(solver.Grid) bool) {
	return func(yield func(solver.Grid) bool) {
		end := time.Now().Add(d)
		for i := 0; b.ctx.Err() == nil; i++ {
			if i%64 == 0 && !time.Now().Before(end) || !yield(b.puzzles[i%len(b.puzzles)]) {
				return
			}
		}
	}
}

// stream measures a window of messages of batch puzzles. The latency is that of a
// message, from its first puzzle to the first answer.
func (b *bench) stream(nc *nats.Conn, batch int, to *recorder) error {
	o := b.options()
	o.Window, o.Batch = b.Window, batch
	c, err := client.New(nc, o)
	if err != nil {
		return err
	}
	defer c.Close()
	starts := make([]time.Time, b.Window+2) // of the messages that may be on their way
	stamped := func(yield func(solver.Grid) bool) {
		i := 0
		for g := range b.cycle(b.Duration / turns) {
			if i%batch == 0 {
				starts[i/batch%len(starts)] = time.Now()
			}
			if i++; !yield(g) {
				return
			}
		}
	}
	begin, n := time.Now(), 0
	for a, err := range c.SolveAll(b.ctx, stamped) {
		if failed(err) {
			return err
		}
		if a.Index%batch == 0 {
			to.since(starts[a.Index/batch%len(starts)])
		}
		n++
	}
	to.add(n, time.Since(begin))
	return nil
}

// solver measures SolveBatch on all CPUs, without the queue.
func (b *bench) solver(to *recorder) {
	var solved atomic.Int64
	var searching sync.WaitGroup
	begin := time.Now()
	for cpu := range runtime.GOMAXPROCS(0) {
		searching.Go(func() { solved.Add(b.search(cpu)) })
	}
	searching.Wait()
	to.add(int(solved.Load()), time.Since(begin))
}

// search solves puzzles for its turn and returns how many. Each CPU begins at
// another place.
func (b *bench) search(cpu int) (solved int64) {
	const batch = 256
	src := make([]solver.Grid, batch)
	dst := make([]solver.Result, batch)
	end := time.Now().Add(b.Duration / turns)
	for i := cpu * len(b.puzzles) / 2; b.ctx.Err() == nil && time.Now().Before(end); i += batch {
		for k := range src {
			src[k] = b.puzzles[(i+k)%len(b.puzzles)]
		}
		solver.SolveBatch(b.ctx, dst, src)
		solved += batch
	}
	return solved
}
