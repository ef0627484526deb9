package service_test

import (
	"bytes"
	"context"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"sudoku/solver"
	"sudoku/solver/wire"
	"sudoku/worker/local/natstest"
	"sudoku/worker/service"
)

// puzzle is the example of Wikipedia's article on Sudoku, which singles solve;
// hard is the first of Gordon Royle's list of puzzles with 17 clues.
const (
	puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
	hard   = ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6..."
)

// echoSubject is that of a responder that does nothing else, to compare with.
const echoSubject = "echo"

// benchmarkConn returns a requester's connection, over TCP, to a server with a
// worker and an echo, each with a connection of its own.
func benchmarkConn(b *testing.B) *nats.Conn {
	server := natstest.Start(b, "")
	dial := func() *nats.Conn {
		nc, err := nats.Connect(server.URL)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(nc.Close)
		return nc
	}
	s, err := service.Start(dial(), service.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Stop(context.Background()) })
	echo := dial()
	if _, err := echo.QueueSubscribe(echoSubject, "echoes", func(m *nats.Msg) { m.Respond(m.Data) }); err != nil {
		b.Fatal(err)
	}
	echo.Flush()
	return dial()
}

// BenchmarkLatency is the time of one request after another, beside the search
// alone.
func BenchmarkLatency(b *testing.B) {
	nc := benchmarkConn(b)
	for _, p := range []struct{ name, puzzle string }{{"easy", puzzle}, {"hard", hard}} {
		g, _ := solver.Parse(p.puzzle)
		for _, c := range []struct {
			name string
			one  func() error
		}{
			{"alone", func() error { _, err := solver.Solve(b.Context(), g); return err }},
			{"echo", func() error { _, err := nc.Request(echoSubject, []byte(p.puzzle), time.Second); return err }},
			{"solve", func() error { _, err := nc.Request(wire.SubjectSolve, []byte(p.puzzle), time.Second); return err }},
		} {
			b.Run(p.name+"/"+c.name, func(b *testing.B) { reportLatency(b, c.one) })
		}
	}
}

func reportLatency(b *testing.B, one func() error) {
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		if err := one(); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2])/1e3, "p50-µs")
	b.ReportMetric(float64(took[len(took)*99/100])/1e3, "p99-µs")
}

// BenchmarkConcurrent is the rate of single puzzles that 64 goroutines request,
// each one after another.
func BenchmarkConcurrent(b *testing.B) {
	nc := benchmarkConn(b)
	for _, c := range []struct{ name, subject string }{{"echo", echoSubject}, {"solve", wire.SubjectSolve}} {
		b.Run(c.name, func(b *testing.B) {
			b.SetParallelism(64 / runtime.GOMAXPROCS(0))
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if _, err := nc.Request(c.subject, []byte(puzzle), time.Second); err != nil {
						b.Error(err)
						return
					}
				}
			})
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "puzzles/s")
		})
	}
}

// BenchmarkPipelined is the rate of single puzzles with 256 requests in flight,
// published without waiting for their replies one by one: the least a requester
// can do, so that the transport costs little beside the search.
func BenchmarkPipelined(b *testing.B) {
	nc := benchmarkConn(b)
	for _, c := range []struct{ name, subject string }{{"echo", echoSubject}, {"solve", wire.SubjectSolve}} {
		b.Run(c.name, func(b *testing.B) { pipeline(b, nc, c.subject, []byte(puzzle), 256, 1) })
	}
}

// BenchmarkBatched is the rate of puzzles in messages of 256 with 16 in flight,
// beside the solver's own rate with the same batches on the same CPUs.
func BenchmarkBatched(b *testing.B) {
	nc := benchmarkConn(b)
	for _, p := range []struct{ name, puzzle string }{{"easy", puzzle}, {"hard", hard}} {
		b.Run(p.name+"/alone", func(b *testing.B) { solveAlone(b, p.puzzle) })
		b.Run(p.name+"/queue", func(b *testing.B) {
			pipeline(b, nc, wire.SubjectSolve, bytes.Repeat([]byte(p.puzzle+"\n"), 256), 16, 256)
		})
	}
}

func solveAlone(b *testing.B, puzzle string) {
	g, _ := solver.Parse(puzzle)
	src := slices.Repeat([]solver.Grid{g}, 256)
	var wg sync.WaitGroup
	batches := make(chan struct{})
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			dst := make([]solver.Result, len(src))
			for range batches {
				solver.SolveBatch(b.Context(), dst, src)
			}
		})
	}
	for b.Loop() {
		batches <- struct{}{}
	}
	close(batches)
	wg.Wait()
	b.ReportMetric(float64(b.N)*256/b.Elapsed().Seconds(), "puzzles/s")
}

// pipeline sends requests of so many puzzles, a window of them at a time.
func pipeline(b *testing.B, nc *nats.Conn, subject string, body []byte, window, puzzles int) {
	free := make(chan struct{}, window)
	for range window {
		free <- struct{}{}
	}
	inbox := nc.NewInbox()
	sub, err := nc.Subscribe(inbox, func(*nats.Msg) { free <- struct{}{} })
	if err != nil {
		b.Fatal(err)
	}
	defer sub.Unsubscribe()
	for b.Loop() {
		<-free
		if err := nc.PublishRequest(subject, inbox, body); err != nil {
			b.Fatal(err)
		}
	}
	for range window {
		<-free
	}
	b.ReportMetric(float64(b.N*puzzles)/b.Elapsed().Seconds(), "puzzles/s")
}
