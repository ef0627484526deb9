package client_test

import (
	"errors"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"sudoku/producer/client"
	"sudoku/solver"
	"sudoku/solver/wire"
	"sudoku/worker/local/natstest"
)

// A fake stands for the workers and answers by a script.
type fake struct {
	t  testing.TB
	nc *nats.Conn
}

// pretend starts a fake that calls answer with each request, numbered from 1,
// one after the other, and returns a connection to ask it over.
func pretend(t testing.TB, answer func(f fake, n int, m *nats.Msg)) *nats.Conn {
	t.Helper()
	s := natstest.Start(t, "")
	f := fake{t, connect(t, s.URL)}
	n := 0
	_, err := f.nc.Subscribe("sudoku.v1.>", func(m *nats.Msg) {
		n++
		answer(f, n, m)
	})
	if err == nil {
		err = f.nc.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	return connect(t, s.URL)
}

func (f fake) reply(to *nats.Msg, body string, header nats.Header) {
	if err := f.nc.PublishMsg(&nats.Msg{Subject: to.Reply, Header: header, Data: []byte(body)}); err != nil {
		f.t.Errorf("replying: %v", err)
	}
}

func (f fake) fail(to *nats.Msg, code int) {
	f.reply(to, "", (&wire.Error{Code: code, Text: "as told"}).Header())
}

// solve answers as a worker does.
func (f fake) solve(to *nats.Msg) { f.reply(to, solutions(f.t, to), nil) }

func solutions(t testing.TB, m *nats.Msg) string {
	lines, err := wire.ParseRequest(nil, m.Data)
	if err != nil {
		t.Errorf("request %q: %v", m.Data, err)
	}
	var body []byte
	for _, l := range lines {
		r, err := solver.Solve(t.Context(), l.Grid)
		body = wire.AppendResult(body, r, err)
	}
	return string(body)
}

// A failure that may pass is retried, and the answer comes in the end.
func TestRetried(t *testing.T) {
	tests := []struct {
		name string
		fail func(f fake, m *nats.Msg)
	}{
		{"busy", func(f fake, m *nats.Msg) { f.fail(m, wire.CodeBusy) }},
		{"worker failed", func(f fake, m *nats.Msg) { f.fail(m, wire.CodeInternal) }},
		{"nothing in the reply", func(f fake, m *nats.Msg) { f.reply(m, "", nil) }},
		{"garbage", func(f fake, m *nats.Msg) { f.reply(m, "ok\n", nil) }},
		{"answers for others", func(f fake, m *nats.Msg) { f.reply(m, "none\nnone\n", nil) }},
		{"solution of another puzzle", func(f fake, m *nats.Msg) {
			r, _ := solver.Solve(f.t.Context(), solver.Grid{})
			f.reply(m, r.Solution.String()+" unique\n", nil)
		}},
		{"not a solution", func(f fake, m *nats.Msg) { f.reply(m, strings.Repeat("1", 81)+" unique\n", nil) }},
		{"invalid without reason", func(f fake, m *nats.Msg) { f.reply(m, "invalid\n", nil) }},
		{"no worker, after one", func(f fake, m *nats.Msg) { f.reply(m, "", nats.Header{"Status": {"503"}}) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			nc := pretend(t, func(f fake, n int, m *nats.Msg) {
				if n == 2 || n == 3 {
					tt.fail(f, m)
				} else {
					f.solve(m)
				}
			})
			c := newClient(t, nc, client.Options{})
			for range 2 {
				if r, err := c.Solve(t.Context(), parse(t, easy)); r.Status != solver.Unique || err != nil {
					t.Errorf("Solve = %v, %v, want the solution", r, err)
				}
			}
			if got := c.Stats(); got.Sent != 4 || got.Retried != 2 {
				t.Errorf("Stats() = %+v, want 4 sent, 2 of them retried", got)
			}
		})
	}
}

// A request whose reply is lost is sent again. One that is only late counts as lost,
// too, so that there may be more of them.
func TestReplyLost(t *testing.T) {
	nc := pretend(t, func(f fake, n int, m *nats.Msg) {
		if n > 2 {
			f.solve(m)
		}
	})
	c := newClient(t, nc, client.Options{ReplyWait: 20 * time.Millisecond})
	if r, err := c.Solve(t.Context(), parse(t, easy)); r.Status != solver.Unique || err != nil {
		t.Errorf("Solve = %v, %v, want the solution", r, err)
	}
	if got := c.Stats(); got.Sent < 3 || got.Retried != got.Sent-1 {
		t.Errorf("Stats() = %+v, want 3 sent or more, all but the first of them retried", got)
	}
}

// A failure that does not pass is reported as what it is, after as many tries as
// it deserves.
func TestGivenUp(t *testing.T) {
	busy := func(f fake, m *nats.Msg) { f.fail(m, wire.CodeBusy) }
	tests := []struct {
		name     string
		answer   func(f fake, m *nats.Msg)
		o        client.Options
		wantIs   error
		wantSent uint64
	}{
		{"busy", busy, client.Options{Retries: 2}, wire.ErrBusy, 3},
		{"busy, no retries wanted", busy, client.Options{Retries: -1}, wire.ErrBusy, 1},
		{"busy for longer than there is time", func(f fake, m *nats.Msg) {
			f.reply(m, "", (&wire.Error{Code: wire.CodeBusy, RetryAfter: time.Hour}).Header())
		}, client.Options{}, wire.ErrBusy, 1},
		{"worker failed", func(f fake, m *nats.Msg) { f.fail(m, wire.CodeInternal) }, client.Options{Retries: 1}, wire.ErrInternal, 2},
		{"not a request", func(f fake, m *nats.Msg) { f.fail(m, wire.CodeBadRequest) }, client.Options{}, wire.ErrBadRequest, 1},
		{"too large", func(f fake, m *nats.Msg) { f.fail(m, wire.CodeTooLarge) }, client.Options{}, wire.ErrTooLarge, 1},
		{"came too late", func(f fake, m *nats.Msg) { f.fail(m, wire.CodeTimeout) }, client.Options{}, solver.ErrTimeout, 1},
		{"timed out", func(f fake, m *nats.Msg) { f.reply(m, "timeout\n", nil) }, client.Options{}, solver.ErrTimeout, 1},
		{"bad reply", func(f fake, m *nats.Msg) { f.reply(m, "42\n", nil) }, client.Options{Retries: 1}, client.ErrBadReply, 2},
		{"no reply", func(f fake, m *nats.Msg) {}, client.Options{Retries: 1, ReplyWait: time.Millisecond}, client.ErrNoReply, 2},
		{"no reply in time", func(f fake, m *nats.Msg) {}, client.Options{Timeout: 20 * time.Millisecond}, client.ErrNoReply, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			nc := pretend(t, func(f fake, n int, m *nats.Msg) { tt.answer(f, m) })
			c := newClient(t, nc, tt.o)
			r, err := c.Solve(t.Context(), parse(t, easy))
			if r != (solver.Result{}) || !errors.Is(err, tt.wantIs) {
				t.Errorf("Solve = %v, %v, want the zero Result and an error that is %v", r, err, tt.wantIs)
			}
			if got := c.Stats().Sent; got != tt.wantSent {
				t.Errorf("%d messages sent, want %d", got, tt.wantSent)
			}
		})
	}
}

func TestNoReplyIsATimeout(t *testing.T) {
	if !errors.Is(client.ErrNoReply, solver.ErrTimeout) {
		t.Errorf("ErrNoReply is not ErrTimeout, want it to be")
	}
}

func TestNoWorkers(t *testing.T) {
	c := newClient(t, connect(t, natstest.Start(t, "").URL), client.Options{})
	if _, err := c.Solve(t.Context(), parse(t, easy)); err != client.ErrNoWorkers {
		t.Errorf("Solve = %v, want %v", err, client.ErrNoWorkers)
	}
	if got := c.Stats().Sent; got != 1 {
		t.Errorf("%d messages sent, want 1", got)
	}
}

// A worker that says how long to wait is not asked before.
func TestBusyWorkerIsLeftAlone(t *testing.T) {
	const pause = 50 * time.Millisecond
	var refused time.Time
	nc := pretend(t, func(f fake, n int, m *nats.Msg) {
		if n == 1 {
			refused = time.Now()
			f.reply(m, "", (&wire.Error{Code: wire.CodeBusy, RetryAfter: pause}).Header())
			return
		}
		if waited := time.Since(refused); waited < pause {
			t.Errorf("asked again after %v, want %v at least", waited, pause)
		}
		f.solve(m)
	})
	if _, err := newClient(t, nc, client.Options{}).Solve(t.Context(), parse(t, easy)); err != nil {
		t.Errorf("Solve = %v, want nil", err)
	}
}

// Answers that come twice, or after a retry, are no answers to what is asked next.
func TestLateAndDoubleReplies(t *testing.T) {
	var late *nats.Msg
	var replies atomic.Uint64
	nc := pretend(t, func(f fake, n int, m *nats.Msg) {
		switch n {
		case 1:
			late = m
		case 2:
			replies.Add(5)
			f.solve(m)
			f.solve(m)
			f.solve(late)
			f.reply(late, "none\n", nil)
			f.fail(late, wire.CodeBusy)
		default:
			replies.Add(2)
			f.solve(late)
			f.solve(m)
		}
	})
	c := newClient(t, nc, client.Options{ReplyWait: 20 * time.Millisecond})
	for _, puzzle := range []string{easy, two} {
		g := parse(t, puzzle)
		if r, err := c.Solve(t.Context(), g); !r.Solution.Solves(g) || err != nil {
			t.Errorf("Solve(%s) = %v, %v, want its solution", g, r, err)
		}
	}
	for deadline := time.Now().Add(patience); c.Stats().Ignored != replies.Load()-2; {
		if time.Now().After(deadline) {
			t.Fatalf("Stats() = %+v, want all of %d replies but two ignored", c.Stats(), replies.Load())
		}
		runtime.Gosched()
	}
}

// The answer to an attempt that was given up is as good as any.
func TestLateAnswerCounts(t *testing.T) {
	var slow *nats.Msg
	nc := pretend(t, func(f fake, n int, m *nats.Msg) {
		if n == 1 {
			slow = m
			return
		}
		f.fail(slow, wire.CodeBusy) // concerns nobody any more
		f.solve(slow)
	})
	c := newClient(t, nc, client.Options{ReplyWait: 20 * time.Millisecond})
	if r, err := c.Solve(t.Context(), parse(t, easy)); r.Status != solver.Unique || err != nil {
		t.Errorf("Solve = %v, %v, want the solution", r, err)
	}
}

// One puzzle says nothing about time unless there is something to say; a retry
// says what is left.
func TestTimeout(t *testing.T) {
	timeout := make(chan string, 1)
	nc := pretend(t, func(f fake, n int, m *nats.Msg) {
		timeout <- m.Header.Get(wire.HeaderTimeout)
		if n == 2 {
			return
		}
		f.solve(m)
	})
	ask := func(o client.Options) func() int {
		c := newClient(t, nc, o)
		go c.Solve(t.Context(), parse(t, easy))
		return func() int {
			ms, _ := strconv.Atoi(<-timeout)
			return ms
		}
	}
	if got := ask(client.Options{})(); got != 0 {
		t.Errorf("timeout of a first message = %d ms, want none", got)
	}
	next := ask(client.Options{Timeout: 10 * time.Second, ReplyWait: 20 * time.Millisecond})
	before := next()
	if before < 9000 || before > 10000 {
		t.Errorf("timeout with 10 s left = %d ms, want a little less", before)
	}
	if got := next(); got < 1 || got > before-20 {
		t.Errorf("timeout of a retry after 20 ms = %d ms, want 20 less than %d", got, before)
	}
}

// One puzzle that a worker fails on, or a message that is too large, costs the
// others nothing.
func TestDivided(t *testing.T) {
	poison := parse(t, two)
	tests := []struct {
		name   string
		reject func(m *nats.Msg) bool
		code   int
		wantIs error // of the poison
	}{
		{"worker failed", func(m *nats.Msg) bool { return strings.Contains(string(m.Data), two) }, wire.CodeInternal, wire.ErrInternal},
		{"too large", func(m *nats.Msg) bool { return len(m.Data) > 82 }, wire.CodeTooLarge, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			nc := pretend(t, func(f fake, n int, m *nats.Msg) {
				if tt.reject(m) {
					f.fail(m, tt.code)
				} else {
					f.solve(m)
				}
			})
			c := newClient(t, nc, client.Options{Retries: 1})
			puzzles := repeat(parse(t, easy), 20)
			puzzles[7] = poison
			i := 0
			for a, err := range c.SolveAll(t.Context(), slices.Values(puzzles)) {
				var want error
				if i == 7 {
					want = tt.wantIs
				}
				if a.Index != i || a.Puzzle != puzzles[i] || !errors.Is(err, want) || err == nil && !a.Result.Solution.Solves(puzzles[i]) {
					t.Errorf("answer %d = %+v, %v, want error %v", i, a, err, want)
				}
				i++
			}
			if i != len(puzzles) {
				t.Errorf("%d answers, want %d", i, len(puzzles))
			}
		})
	}
}

// A server that takes small messages only gets small messages. Some may be smaller
// than they could be: a message does not wait long for more.
func TestMaxPayload(t *testing.T) {
	s := natstest.Start(t, "max_payload: 2048")
	startWorker(t, s.URL)
	c := newClient(t, connect(t, s.URL), client.Options{})
	answers, err := collect(c.SolveAll(t.Context(), slices.Values(repeat(parse(t, easy), 100))))
	if len(answers) != 100 || err != nil {
		t.Errorf("%d answers, %v, want 100 and no error", len(answers), err)
	}
	if got := c.Stats(); got.Sent < 10 { // (2048-1024)/92 is 11
		t.Errorf("%d messages sent, want 10 or more", got.Sent)
	}
}

// All goes on where it was when a message is lost, or bad, or the end says that
// the worker failed.
func TestAllResumes(t *testing.T) {
	want := first(solver.All(t.Context(), solver.Grid{}), 9)
	page := func(f fake, m *nats.Msg, from, to int) {
		var body []byte
		for _, s := range want[from:to] {
			body = append(s.Append(body), '\n')
		}
		f.reply(m, string(body), nats.Header{wire.HeaderCount: {strconv.Itoa(to)}})
	}
	tests := []struct {
		name string
		fail func(f fake, m *nats.Msg)
	}{
		{"nothing came", func(f fake, m *nats.Msg) {}},
		{"no end", func(f fake, m *nats.Msg) { page(f, m, 0, 4) }},
		{"first page lost", func(f fake, m *nats.Msg) { page(f, m, 4, 6) }},
		{"page lost", func(f fake, m *nats.Msg) { page(f, m, 0, 2); page(f, m, 4, 6) }},
		{"last page lost", func(f fake, m *nats.Msg) { page(f, m, 0, 2); page(f, m, 9, 9) }},
		{"page twice", func(f fake, m *nats.Msg) { page(f, m, 0, 2); page(f, m, 0, 2) }},
		{"garbage", func(f fake, m *nats.Msg) { page(f, m, 0, 2); f.reply(m, "ok\n", nil) }},
		{"no count", func(f fake, m *nats.Msg) { page(f, m, 0, 2); f.reply(m, "", nil) }},
		{"worker failed", func(f fake, m *nats.Msg) { page(f, m, 0, 5); f.fail(m, wire.CodeInternal) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			nc := pretend(t, func(f fake, n int, m *nats.Msg) {
				if n <= 2 {
					tt.fail(f, m)
					return
				}
				page(f, m, 0, 3)
				page(f, m, 3, 9)
				page(f, m, 9, 9)
			})
			c := newClient(t, nc, client.Options{ReplyWait: 20 * time.Millisecond})
			got, err := collect(c.All(t.Context(), solver.Grid{}, 20))
			if err != nil || len(got) != 9 || got[0] != want[0] || got[8] != want[8] {
				t.Errorf("All yields %d solutions, %v, want 9", len(got), err)
			}
			for i := range got {
				if got[i] != want[i] {
					t.Errorf("solution %d = %s, want %s", i, got[i], want[i])
				}
			}
		})
	}
}

// What is found before the time is over is yielded before the error.
func TestAllTimedOut(t *testing.T) {
	s := first(solver.All(t.Context(), solver.Grid{}), 1)[0]
	nc := pretend(t, func(f fake, n int, m *nats.Msg) {
		f.reply(m, s.String()+"\n", nats.Header{wire.HeaderCount: {"1"}})
		f.fail(m, wire.CodeTimeout)
	})
	got, err := collect(newClient(t, nc, client.Options{}).All(t.Context(), solver.Grid{}, 20))
	if len(got) != 1 || got[0] != s || !errors.Is(err, solver.ErrTimeout) {
		t.Errorf("All = %v, %v, want one solution and %v", got, err, solver.ErrTimeout)
	}
}

// Requests in flight when the client is closed fail, all of them.
func TestCloseInFlight(t *testing.T) {
	var asked atomic.Int64
	all := make(chan struct{})
	nc := pretend(t, func(f fake, n int, m *nats.Msg) {
		if asked.Add(1) == 5 {
			close(all)
		}
	})
	c := newClient(t, nc, client.Options{Batch: 1})
	go func() {
		<-all
		c.Close()
	}()
	n := 0
	for _, err := range c.SolveAll(t.Context(), slices.Values(repeat(parse(t, easy), 5))) {
		if !errors.Is(err, client.ErrClosed) {
			t.Errorf("error %v, want %v", err, client.ErrClosed)
		}
		n++
	}
	if n != 5 {
		t.Errorf("%d answers, want 5", n)
	}
}
