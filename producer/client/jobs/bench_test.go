package jobs_test

import (
	"context"
	"iter"
	"slices"
	"sync"
	"testing"
	"time"

	"sudoku/producer/client"
	"sudoku/producer/client/jobs"
	"sudoku/solver"
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
// submitted to the last answer read, beside those through batches of requests, on
// one server over TCP with everything in this process.
func BenchmarkJob(b *testing.B) {
	const n = 200_000
	s := natstest.Start(b, natstest.JetStream(b))
	startWorker(b, s)
	ctx := context.Background()
	requests := connect(b, s)
	cl, err := client.New(requests, client.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer cl.Close()
	c := newClient(b, s)
	ready(b, c)
	var asked, durable time.Duration
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
	}
	total := float64(n) * float64(b.N)
	b.ReportMetric(total/asked.Seconds(), "requests_puzzles/s")
	b.ReportMetric(total/durable.Seconds(), "job_puzzles/s")
	b.ReportMetric(asked.Seconds()/durable.Seconds(), "job/requests")
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

// BenchmarkInteractive measures the latency of single requests, one every
// millisecond, without and with a job that floods the workers.
func BenchmarkInteractive(b *testing.B) {
	s := natstest.Start(b, natstest.JetStream(b))
	startWorker(b, s)
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
