package service

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"sudoku/solver"
	"sudoku/solver/wire"
	"sudoku/worker/local/natstest"
)

// relabelled returns n puzzles, all different, that are easy with other digits.
func relabelled(t *testing.T, n int) []solver.Grid {
	t.Helper()
	g, err := solver.Parse(easy)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	seen := map[solver.Grid]bool{}
	puzzles := make([]solver.Grid, 0, n)
	for len(puzzles) < n {
		labels := random.Perm(9)
		p := g
		for i, d := range g {
			if d > 0 {
				p[i] = uint8(labels[d-1] + 1)
			}
		}
		if !seen[p] {
			seen[p] = true
			puzzles = append(puzzles, p)
		}
	}
	return puzzles
}

// workers starts n services, each with a connection of its own.
func workers(t *testing.T, url string, n int, o ...nats.Option) []*Service {
	t.Helper()
	all := make([]*Service, n)
	for i := range all {
		s, err := Start(connect(t, url, o...), Options{Concurrency: 1})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Stop(t.Context()) })
		all[i] = s
	}
	return all
}

// TestShare has 4 workers share 10,000 puzzles, each of which must get one
// answer.
func TestShare(t *testing.T) {
	const n = 10_000
	server := natstest.Start(t, "")
	all := workers(t, server.URL, 4)
	puzzles := relabelled(t, n)
	nc := connect(t, server.URL)
	inbox := nc.NewInbox()
	sub, err := nc.SubscribeSync(inbox + ".*")
	if err != nil {
		t.Fatal(err)
	}
	for i, g := range puzzles {
		if err := nc.PublishRequest(wire.SubjectSolve, fmt.Sprintf("%s.%d", inbox, i), wire.AppendPuzzle(nil, g)); err != nil {
			t.Fatal(err)
		}
	}
	answers := make([]int, n)
	for range n {
		m, err := sub.NextMsg(patience)
		if err != nil {
			t.Fatal(err)
		}
		var i int
		if _, err := fmt.Sscanf(m.Subject, inbox+".%d", &i); err != nil {
			t.Fatal(err)
		}
		answers[i]++
		checkSolved(t, puzzles[i], m)
	}
	for i, got := range answers {
		if got != 1 {
			t.Errorf("puzzle %d got %d answers, want 1", i, got)
		}
	}
	total := 0
	for i, s := range all {
		if err := s.Stop(context.Background()); err != nil {
			t.Errorf("Stop = %v, want nil", err)
		}
		got, failed := requests(s, "solve")
		if got == 0 || failed > 0 {
			t.Errorf("worker %d has %d requests, %d of them failed, want some and 0", i, got, failed)
		}
		total += got
	}
	if total != n {
		t.Errorf("the workers have %d requests, want %d", total, n)
	}
	if pending, _, _ := sub.Pending(); pending > 0 {
		t.Errorf("%d more answers, want 0", pending)
	}
}

func checkSolved(t *testing.T, puzzle solver.Grid, m *nats.Msg) {
	t.Helper()
	r, err := wire.ParseResults(nil, m.Data)
	if err != nil || len(r) != 1 || r[0].Status != solver.Unique || !r[0].Solution.Solves(puzzle) {
		t.Errorf("solve %v = %q (%v), want its solution", puzzle, m.Data, m.Header)
	}
}

// A requester asks for puzzles, 8 at a time.
type requester struct {
	t        *testing.T
	nc       *nats.Conn
	wait     time.Duration // for a reply, before it tries again
	puzzles  []solver.Grid
	answered atomic.Int64
	retries  atomic.Int64
}

// run requests all puzzles, and calls disturb when half are answered.
func (r *requester) run(disturb func()) {
	half := make(chan struct{})
	var wg sync.WaitGroup
	next := make(chan solver.Grid)
	for range 8 {
		wg.Go(func() {
			for g := range next {
				checkSolved(r.t, g, r.request(g))
				if r.answered.Add(1) == int64(len(r.puzzles)/2) {
					close(half)
				}
			}
		})
	}
	wg.Go(func() {
		defer close(next)
		for _, g := range r.puzzles {
			next <- g
		}
	})
	<-half
	disturb()
	wg.Wait()
}

// request repeats the request for g until there is an answer.
func (r *requester) request(g solver.Grid) *nats.Msg {
	body := wire.AppendPuzzle(nil, g)
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); r.retries.Add(1) {
		m, err := r.nc.Request(wire.SubjectSolve, body, r.wait)
		if err == nil && wire.ParseError(m.Header) == nil {
			return m
		}
		if !errors.Is(err, nats.ErrTimeout) && !errors.Is(err, nats.ErrNoResponders) {
			r.t.Logf("retrying after %v", err)
		}
	}
	r.t.Errorf("no answer to %v", g)
	return &nats.Msg{}
}

func newRequester(t *testing.T, url string, wait time.Duration) *requester {
	t.Helper()
	nc := connect(t, url, nats.MaxReconnects(-1), nats.ReconnectWait(time.Millisecond))
	return &requester{t: t, nc: nc, wait: wait, puzzles: relabelled(t, 2000)}
}

func TestStoppedWorkerCostsNoRetry(t *testing.T) {
	server := natstest.Start(t, "")
	all := workers(t, server.URL, 2)
	r := newRequester(t, server.URL, patience)
	r.run(func() {
		if err := all[0].Stop(context.Background()); err != nil {
			t.Errorf("Stop = %v, want nil", err)
		}
	})
	if got := r.retries.Load(); got > 0 {
		t.Errorf("%d requests were repeated, want 0", got)
	}
}

func TestKilledWorkerCostsNoAnswer(t *testing.T) {
	server := natstest.Start(t, "")
	workers(t, server.URL, 1)
	closed := make(chan struct{})
	killed := workers(t, server.URL, 1, nats.NoReconnect(), nats.ClosedHandler(func(*nats.Conn) { close(closed) }))
	r := newRequester(t, server.URL, 250*time.Millisecond)
	r.run(func() {
		server.Cut(killed[0].nc)
		<-closed
	})
}

func TestRestartedServerCostsNoAnswer(t *testing.T) {
	server := natstest.Start(t, "")
	workers(t, server.URL, 2, nats.MaxReconnects(-1), nats.ReconnectWait(time.Millisecond))
	newRequester(t, server.URL, 250*time.Millisecond).run(server.Restart)
}
