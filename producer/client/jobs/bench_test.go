package jobs_test

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"sudoku/producer/client"
	"sudoku/producer/client/jobs"
	"sudoku/solver"
	"sudoku/solver/wire"
	"sudoku/worker/local/natstest"
)

// relabelled yields n puzzles: one, with its digits exchanged.
func relabelled(b *testing.B, n int) iter.Seq[solver.Grid] {
	g := parse(b, easy)
	return func(yield func(solver.Grid) bool) {
		for i := range n {
			for c, d := range g {
				if d > 0 {
					g[c] = (d+uint8(i%8))%9 + 1
				}
			}
			if !yield(g) {
				return
			}
		}
	}
}

// BenchmarkJob measures puzzles a second through a job, from the first chunk
// submitted to the last answer read, beside those through batches of requests and
// the least that JetStream takes for a job, on one server over TCP with everything
// in this process.
func BenchmarkJob(b *testing.B) {
	const n = 200_000
	s := natstest.Start(b, natstest.JetStream(b))
	startWorker(b, s)
	moreProcessors(b)
	ctx := context.Background()
	requests := connect(b, s)
	cl, err := client.New(requests, client.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer cl.Close()
	c := newClient(b, s)
	ready(b, c)
	e := newEcho(b, s)
	var asked, durable, echoed time.Duration
	for b.Loop() {
		asked += measure(b, n, func() (answered int) {
			for _, err := range cl.SolveAll(ctx, relabelled(b, n)) {
				if err == nil {
					answered++
				}
			}
			return answered
		})
		durable += measure(b, n, func() (answered int) {
			id := jobs.NewID()
			var submitting sync.WaitGroup
			submitting.Go(func() {
				if _, err := c.Submit(ctx, id, asPuzzles(relabelled(b, n))); err != nil {
					b.Error(err)
				}
			})
			for a, err := range c.Results(ctx, id, jobs.Reading{Follow: true}) {
				if err == nil && a.Err == nil {
					answered++
				}
			}
			submitting.Wait()
			return answered
		})
		echoed += measure(b, n, func() int { return e.run(ctx, n) })
	}
	total := float64(n) * float64(b.N)
	b.ReportMetric(total/asked.Seconds(), "requests_puzzles/s")
	b.ReportMetric(total/durable.Seconds(), "job_puzzles/s")
	b.ReportMetric(total/echoed.Seconds(), "echo_puzzles/s")
	b.ReportMetric(asked.Seconds()/durable.Seconds(), "job/requests")
	b.ReportMetric(echoed.Seconds()/durable.Seconds(), "job/echo")
}

// moreProcessors doubles those of the runtime, as the worker program does.
func moreProcessors(b *testing.B) {
	n := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(2 * n)
	b.Cleanup(func() { runtime.GOMAXPROCS(n) })
}

// ready returns when the worker has found the streams.
func ready(b *testing.B, c *jobs.Client) {
	b.Helper()
	ctx := context.Background()
	if _, err := c.Submit(ctx, "ready", puzzles(b, 1)); err != nil {
		b.Fatal(err)
	}
	if _, err := collect(c.Results(ctx, "ready", jobs.Reading{Follow: true})); err != nil {
		b.Fatal(err)
	}
}

func measure(b *testing.B, n int, answer func() (answered int)) time.Duration {
	b.Helper()
	start := time.Now()
	if answered := answer(); answered != n {
		b.Fatalf("%d of %d puzzles answered", answered, n)
	}
	return time.Since(start)
}

func asPuzzles(grids iter.Seq[solver.Grid]) iter.Seq[jobs.Puzzle] {
	return func(yield func(jobs.Puzzle) bool) {
		for g := range grids {
			if !yield(jobs.Puzzle{Grid: g}) {
				return
			}
		}
	}
}

// An echo does with JetStream what a job does, and nothing else: it stores chunks
// under ids, takes them, stores something as large as their answers and acknowledges
// them, and reads what is stored. Nobody looks at what is in a message.
type echo struct {
	b      *testing.B
	js     [3]jetstream.JetStream // of the submitter, the worker and the reader
	runs   int
	cancel context.CancelFunc // ends the run
}

const (
	echoInHand = 24  // as a worker with two slots
	echoWindow = 64  // the most of a submission
	perChunk   = 256 // puzzles
	chunkLine  = 42  // bytes
	resultLine = 54
)

func newEcho(b *testing.B, s *natstest.Server) *echo {
	b.Helper()
	e := &echo{b: b}
	for i := range e.js {
		e.js[i] = jetStream(b, s)
	}
	for _, c := range []jetstream.StreamConfig{
		{Name: "CHUNKS", Subjects: []string{"chunks"}, Retention: jetstream.WorkQueuePolicy, Discard: jetstream.DiscardNew},
		{Name: "ANSWERS", Subjects: []string{"answers.*"}},
	} {
		if _, err := e.js[0].CreateStream(b.Context(), c); err != nil {
			b.Fatal(err)
		}
	}
	return e
}

// run returns n when that many puzzles have come back.
func (e *echo) run(ctx context.Context, n int) int {
	e.runs++
	ctx, e.cancel = context.WithCancel(ctx)
	defer e.cancel()
	chunks := (n + perChunk - 1) / perChunk
	var both sync.WaitGroup
	defer both.Wait()
	both.Go(func() { e.check(e.submit(chunks)) })
	both.Go(func() { e.check(e.work(ctx, chunks)) })
	e.check(e.read(ctx, chunks))
	return n
}

func (e *echo) check(err error) {
	if err != nil {
		e.b.Error(err)
		e.cancel()
	}
}

func (e *echo) id(chunk int) nats.Header {
	return nats.Header{wire.HeaderMsgID: {fmt.Sprint(e.runs, "/", chunk)}}
}

func (e *echo) submit(chunks int) error {
	body := make([]byte, perChunk*chunkLine)
	var flight [echoWindow]jetstream.PubAckFuture
	for i := range chunks + echoWindow {
		if f := flight[i%echoWindow]; f != nil {
			select {
			case <-f.Ok():
			case err := <-f.Err():
				return err
			}
		}
		if i >= chunks {
			continue
		}
		var err error
		if flight[i%echoWindow], err = e.js[0].PublishMsgAsync(&nats.Msg{Subject: "chunks", Header: e.id(i), Data: body}); err != nil {
			return err
		}
	}
	return nil
}

func (e *echo) work(ctx context.Context, chunks int) error {
	consumer, err := e.js[1].CreateOrUpdateConsumer(ctx, "CHUNKS", jetstream.ConsumerConfig{Durable: "workers", MaxAckPending: -1})
	if err != nil {
		return err
	}
	it, err := messages(consumer, echoInHand)
	if err != nil {
		return err
	}
	defer it.Stop()
	body := make([]byte, perChunk*resultLine)
	subject := fmt.Sprint("answers.", e.runs)
	inHand := make(chan struct{}, echoInHand)
	var working sync.WaitGroup
	defer working.Wait()
	for i := range chunks {
		m, err := it.Next(jetstream.NextContext(ctx))
		if err != nil {
			return err
		}
		inHand <- struct{}{}
		working.Go(func() {
			defer func() { <-inHand }()
			_, err := e.js[1].PublishMsg(ctx, &nats.Msg{Subject: subject, Header: e.id(i), Data: body})
			if err == nil {
				err = m.Ack()
			}
			e.check(err)
		})
	}
	return nil
}

// messages takes at most so many at a time. A pull request that the server does not
// serve, as happens now and then, is made again.
func messages(c jetstream.Consumer, most int) (jetstream.MessagesContext, error) {
	return c.Messages(jetstream.PullMaxMessages(most), jetstream.PullExpiry(4*time.Second), jetstream.PullHeartbeat(time.Second),
		jetstream.WithMessagesErrOnMissingHeartbeat(false))
}

func (e *echo) read(ctx context.Context, chunks int) error {
	consumer, err := e.js[2].CreateConsumer(ctx, "ANSWERS", jetstream.ConsumerConfig{
		FilterSubject: fmt.Sprint("answers.", e.runs),
		AckPolicy:     jetstream.AckNonePolicy,
		MemoryStorage: true,
	})
	if err != nil {
		return err
	}
	it, err := messages(consumer, 128) // as a tail
	if err != nil {
		return err
	}
	defer it.Stop()
	for range chunks {
		if _, err := it.Next(jetstream.NextContext(ctx)); err != nil {
			return err
		}
	}
	return nil
}

// BenchmarkInteractive measures the latency of single requests, one every
// millisecond, without and with a job that floods the workers.
func BenchmarkInteractive(b *testing.B) {
	s := natstest.Start(b, natstest.JetStream(b))
	startWorker(b, s)
	moreProcessors(b)
	cl, err := client.New(connect(b, s), client.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer cl.Close()
	c := newClient(b, s)
	ready(b, c)
	g := parse(b, easy)
	var quiet, flooded []time.Duration
	for b.Loop() {
		quiet = append(quiet, latencies(b, cl, g)...)
		ctx, cancel := context.WithCancel(context.Background())
		var flood sync.WaitGroup
		flood.Go(func() { c.Submit(ctx, jobs.NewID(), asPuzzles(relabelled(b, 1<<40))) })
		flooded = append(flooded, latencies(b, cl, g)...)
		cancel()
		flood.Wait()
	}
	for _, p := range []struct {
		name string
		of   float64
	}{{"p50", 0.5}, {"p99", 0.99}} {
		q, f := percentile(quiet, p.of), percentile(flooded, p.of)
		b.ReportMetric(float64(q.Microseconds()), p.name+"_quiet_µs")
		b.ReportMetric(float64(f.Microseconds()), p.name+"_flooded_µs")
		b.ReportMetric(float64(f)/float64(q), p.name+"_ratio")
	}
}

func latencies(b *testing.B, cl *client.Client, g solver.Grid) (all []time.Duration) {
	b.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for range 3000 {
		<-tick.C
		start := time.Now()
		if _, err := cl.Solve(context.Background(), g); err != nil {
			b.Fatal(err)
		}
		all = append(all, time.Since(start))
	}
	return all
}

func percentile(all []time.Duration, p float64) time.Duration {
	slices.Sort(all)
	return all[int(p*float64(len(all)-1))]
}
