package client_test

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"sudoku/producer/client"
	"sudoku/solver"
	"sudoku/solver/wire"
	"sudoku/worker/local/natstest"
	"sudoku/worker/service"
)

func repeat(g solver.Grid, n int) []solver.Grid {
	gs := make([]solver.Grid, n)
	for i := range gs {
		gs[i] = g
	}
	return gs
}

// various returns n puzzles that differ: the digits of one, exchanged.
func various(t testing.TB, n int) []solver.Grid {
	t.Helper()
	g := parse(t, easy)
	gs := make([]solver.Grid, n)
	for i := range gs {
		a, b := uint8(i%9+1), uint8(i/9%9+1)
		for j, d := range g {
			if d == a {
				g[j] = b
			} else if d == b {
				g[j] = a
			}
		}
		gs[i] = g
	}
	return gs
}

// check reads the answers to puzzles and reports what is not the one solution of
// each, once and, if ordered, in order.
func check(t *testing.T, puzzles []solver.Grid, ordered bool, answers iter.Seq2[client.Answer[solver.Result], error]) {
	t.Helper()
	seen := make([]bool, len(puzzles))
	n := 0
	for a, err := range answers {
		switch {
		case err != nil:
			t.Fatalf("answer %d: %v", a.Index, err)
		case a.Puzzle != puzzles[a.Index] || a.Result.Status != solver.Unique || !a.Result.Solution.Solves(a.Puzzle):
			t.Fatalf("answer %d = %+v, want the solution of %s", a.Index, a, puzzles[a.Index])
		case ordered && a.Index != n:
			t.Fatalf("answer %d comes as number %d", a.Index, n)
		case seen[a.Index]:
			t.Fatalf("answer %d comes twice", a.Index)
		}
		seen[a.Index] = true
		n++
	}
	if n != len(puzzles) {
		t.Fatalf("%d answers, want %d", n, len(puzzles))
	}
}

func TestSolveAll(t *testing.T) {
	tests := []struct {
		name string
		n    int
		o    client.Options
	}{
		{"none", 0, client.Options{}},
		{"one", 1, client.Options{}},
		{"as many as a batch", 256, client.Options{}},
		{"one more", 257, client.Options{}},
		{"many", 3000, client.Options{}},
		{"one a message", 500, client.Options{Batch: 1}},
		{"one message at a time", 500, client.Options{Batch: 100, Window: 1}},
		{"more than fit into a message", 5000, client.Options{Batch: 1 << 20}},
	}
	overBoth(t, func(t *testing.T, nc *nats.Conn) {
		for _, tt := range tests {
			for _, unordered := range []bool{false, true} {
				t.Run(tt.name, func(t *testing.T) {
					tt.o.Unordered = unordered
					puzzles := various(t, tt.n)
					check(t, puzzles, !unordered, newClient(t, nc, tt.o).SolveAll(t.Context(), slices.Values(puzzles)))
				})
			}
		}
	})
}

func TestFourWorkersShare(t *testing.T) {
	s := natstest.Start(t, "")
	var workers []*nats.Conn
	for range 4 {
		workers = append(workers, startWorker(t, s.URL))
	}
	puzzles := various(t, 10000)
	check(t, puzzles, true, newClient(t, connect(t, s.URL), client.Options{Batch: 50}).SolveAll(t.Context(), slices.Values(puzzles)))
	for i, nc := range workers {
		if nc.Stats().OutMsgs == 0 {
			t.Errorf("worker %d has answered nothing", i)
		}
	}
}

func TestCountAll(t *testing.T) {
	c := newClient(t, embedded(t), client.Options{})
	puzzles := []solver.Grid{parse(t, easy), parse(t, none), parse(t, conflict), parse(t, two), {}}
	want := []int{1, 0, 0, 2, 10}
	wantExact := []bool{true, true, false, true, false}
	for a, err := range c.CountAll(t.Context(), slices.Values(puzzles), 10) {
		if a.Result.N != want[a.Index] || a.Result.Exact != wantExact[a.Index] {
			t.Errorf("count of %s = %+v, want %d, exact %t", a.Puzzle, a.Result, want[a.Index], wantExact[a.Index])
		}
		if invalid := a.Index == 2; errors.Is(err, solver.ErrInvalid) != invalid || !invalid && err != nil {
			t.Errorf("count of %s: error %v, want an ErrInvalid: %t", a.Puzzle, err, invalid)
		}
	}
}

// Each puzzle has its own answer or its own error.
func TestSolveAllErrors(t *testing.T) {
	c := newClient(t, embedded(t), client.Options{})
	puzzles := []solver.Grid{parse(t, conflict), parse(t, easy), parse(t, none), parse(t, two)}
	for a, err := range c.SolveAll(t.Context(), slices.Values(puzzles)) {
		want, wantErr := solver.Solve(t.Context(), a.Puzzle)
		if a.Result != want || (err == nil) != (wantErr == nil) || wantErr != nil && err.Error() != wantErr.Error() {
			t.Errorf("answer to %s = %v, %v, want %v, %v", a.Puzzle, a.Result, err, want, wantErr)
		}
	}
}

// A worker whose connection is cut while it has requests costs no answer.
func TestWorkerKilled(t *testing.T) {
	s := natstest.Start(t, "")
	startWorker(t, s.URL)
	doomed := connect(t, s.URL, nats.NoReconnect())
	asked := make(chan struct{}, 1)
	_, err := doomed.QueueSubscribe("sudoku.v1.solve", "sudoku-workers", func(*nats.Msg) {
		select {
		case asked <- struct{}{}:
		default:
		}
	})
	if err == nil {
		err = doomed.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	c := newClient(t, connect(t, s.URL), client.Options{Batch: 10, ReplyWait: 100 * time.Millisecond})
	puzzles := various(t, 2000)
	cut := func(yield func(solver.Grid) bool) {
		for i, g := range puzzles {
			if i == 300 {
				<-asked
				s.Cut(doomed)
			}
			if !yield(g) {
				return
			}
		}
	}
	check(t, puzzles, true, c.SolveAll(t.Context(), cut))
	if c.Stats().Retried == 0 {
		t.Errorf("nothing was sent again, want some")
	}
}

// A worker that is stopped, as SIGTERM does, answers what it has: nothing is sent
// again.
func TestWorkerStopped(t *testing.T) {
	s := natstest.Start(t, "")
	startWorker(t, s.URL)
	stopping, err := service.Start(connect(t, s.URL), service.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := newClient(t, connect(t, s.URL), client.Options{Batch: 10})
	puzzles := various(t, 3000)
	stop := func(yield func(client.Answer[solver.Result], error) bool) {
		for a, err := range c.SolveAll(t.Context(), slices.Values(puzzles)) {
			if a.Index == 1000 {
				if err := stopping.Stop(t.Context()); err != nil {
					t.Errorf("Stop = %v, want nil", err)
				}
			}
			if !yield(a, err) {
				return
			}
		}
	}
	check(t, puzzles, true, stop)
	if got := c.Stats(); got.Retried != 0 {
		t.Errorf("Stats() = %+v, want nothing retried", got)
	}
}

// A puzzle that takes too long is a timeout, and its neighbours are answered.
func TestPoison(t *testing.T) {
	s := natstest.Start(t, "")
	w, err := service.Start(connect(t, s.URL), service.Options{Timeout: 500 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Stop(t.Context())
	c := newClient(t, connect(t, s.URL), client.Options{})
	puzzles := []solver.Grid{parse(t, two), {}, parse(t, easy)}
	want := []int{2, 0, 1}
	n := 0
	for a, err := range c.CountAll(t.Context(), slices.Values(puzzles), wire.MaxCountLimit) {
		if a.Result.N != want[a.Index] || errors.Is(err, solver.ErrTimeout) != (a.Index == 1) {
			t.Errorf("count of puzzle %d = %+v, %v, want %d", a.Index, a.Result, err, want[a.Index])
		}
		n++
	}
	if n != len(puzzles) {
		t.Errorf("%d answers, want %d", n, len(puzzles))
	}
}

// A server that restarts in the middle costs no answer and doubles none.
func TestServerRestarted(t *testing.T) {
	s := natstest.Start(t, "")
	again := []nats.Option{nats.MaxReconnects(-1), nats.ReconnectWait(10 * time.Millisecond), nats.ReconnectJitter(0, 0)}
	startWorker(t, s.URL, again...)
	c := newClient(t, connect(t, s.URL, again...), client.Options{Batch: 10, Retries: 100})
	puzzles := various(t, 3000)
	n := 0
	restarting := func(yield func(client.Answer[solver.Result], error) bool) {
		for a, err := range c.SolveAll(t.Context(), slices.Values(puzzles)) {
			if n++; n%1000 == 0 {
				s.Restart()
			}
			if !yield(a, err) {
				return
			}
		}
	}
	check(t, puzzles, true, restarting)
}

// While the connection is away nothing is lost and nothing fails.
func TestServerAway(t *testing.T) {
	s := natstest.Start(t, "")
	again := []nats.Option{nats.MaxReconnects(-1), nats.ReconnectWait(10 * time.Millisecond), nats.ReconnectJitter(0, 0)}
	startWorker(t, s.URL, again...)
	away := make(chan struct{}, 1)
	nc := connect(t, s.URL, append(again, nats.DisconnectErrHandler(func(*nats.Conn, error) { away <- struct{}{} }))...)
	c := newClient(t, nc, client.Options{Retries: 100})
	g := parse(t, easy)
	if _, err := c.Solve(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	s.Stop()
	<-away
	done := make(chan error)
	go func() {
		_, err := c.Solve(t.Context(), g)
		done <- err
	}()
	s.Start()
	if err := <-done; err != nil {
		t.Errorf("Solve while the server is away = %v, want nil", err)
	}
}

// No more puzzles are taken than the window allows, in order or not.
func TestWindowBounds(t *testing.T) {
	const batch, window = 10, 4
	for _, unordered := range []bool{false, true} {
		release := make(chan struct{})
		nc := pretend(t, func(f fake, n int, m *nats.Msg) {
			<-release
			f.solve(m)
		})
		c := newClient(t, nc, client.Options{Batch: batch, Window: window, Unordered: unordered})
		const most = window*batch + 1 // the last waits for a batch to be free
		var taken, yielded atomic.Int64
		puzzles := repeat(parse(t, easy), 1000)
		counted := func(yield func(solver.Grid) bool) {
			for _, g := range puzzles {
				if n := taken.Add(1) - yielded.Load(); n > most {
					t.Errorf("%d puzzles taken and not yielded, want %d at most", n, most)
				}
				if taken.Load() == window*batch {
					close(release)
				}
				if !yield(g) {
					return
				}
			}
		}
		slow := func(yield func(client.Answer[solver.Result], error) bool) {
			for a, err := range c.SolveAll(t.Context(), counted) {
				runtime.Gosched() // lets the feeder run as far as it may
				yielded.Add(1)
				if !yield(a, err) {
					return
				}
			}
		}
		check(t, puzzles, !unordered, slow)
	}
}

// An answer does not wait for a message to be full.
func TestAnswerWhileInputWaits(t *testing.T) {
	c := newClient(t, embedded(t), client.Options{})
	answered := make(chan struct{})
	g := parse(t, easy)
	dialogue := func(yield func(solver.Grid) bool) {
		for range 3 {
			if !yield(g) {
				return
			}
			<-answered
		}
	}
	n := 0
	for _, err := range c.SolveAll(t.Context(), dialogue) {
		if err != nil {
			t.Errorf("answer %d: %v", n, err)
		}
		n++
		answered <- struct{}{}
	}
	if n != 3 {
		t.Errorf("%d answers, want 3", n)
	}
}

func TestSolveAllLeftEarly(t *testing.T) {
	nc := embedded(t)
	for _, unordered := range []bool{false, true} {
		c := newClient(t, nc, client.Options{Batch: 10, Unordered: unordered})
		n := 0
		for range c.SolveAll(t.Context(), forever(parse(t, easy))) {
			if n++; n == 25 {
				break
			}
		}
	}
}

func forever(g solver.Grid) iter.Seq[solver.Grid] {
	return func(yield func(solver.Grid) bool) {
		for yield(g) {
		}
	}
}

// When the context ends the sequence does, and what it had was in order.
func TestSolveAllUnderContext(t *testing.T) {
	c := newClient(t, embedded(t), client.Options{Batch: 10})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	for a, err := range c.SolveAll(ctx, forever(parse(t, easy))) {
		if a.Index != n || err != nil {
			t.Fatalf("answer %d comes as number %d, error %v", a.Index, n, err)
		}
		if n++; n == 25 {
			cancel()
		}
	}
	if n < 25 {
		t.Errorf("%d answers, want 25 or more", n)
	}
}

// No workers is said at once, for each puzzle.
func TestSolveAllWithoutWorkers(t *testing.T) {
	c := newClient(t, connect(t, natstest.Start(t, "").URL), client.Options{})
	for _, err := range c.SolveAll(t.Context(), slices.Values(various(t, 300))) {
		if !errors.Is(err, client.ErrNoWorkers) {
			t.Fatalf("error %v, want %v", err, client.ErrNoWorkers)
		}
	}
}
