package service

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"sudoku/solver"
	"sudoku/solver/wire"
)

// put lets a request to solve wait in the backlog of s when it returns.
func put(t *testing.T, s *Service, nc *nats.Conn, body string, header ...string) exchange {
	t.Helper()
	m := nats.NewMsg(wire.SubjectSolve)
	m.Data = []byte(body)
	m.Reply = nc.NewInbox()
	for i := 0; i < len(header); i += 2 {
		m.Header[header[i]] = []string{header[i+1]}
	}
	sub, err := nc.SubscribeSync(m.Reply)
	if err == nil {
		err = nc.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	s.take(newRequest(s.endpoints[0], m))
	return exchange{t, sub}
}

// held serves with one worker, whose first search has begun and goes on when open
// is called.
func held(t *testing.T, o Options, search solveFunc) (s *Service, nc *nats.Conn, open func()) {
	t.Helper()
	var first sync.Once
	entered, opened := make(chan struct{}), make(chan struct{})
	o.Concurrency = 1
	s, nc = serve(t, o, func(ctx context.Context, dst []solver.Result, src []solver.Grid) {
		first.Do(func() { close(entered); <-opened })
		search(ctx, dst, src)
	})
	working := send(t, nc, wire.SubjectSolve, easy)
	<-entered
	return s, nc, func() { close(opened); working.want("", solution+" unique\n") }
}

func TestBatch(t *testing.T) {
	var most atomic.Int64
	s, nc, open := held(t, Options{}, func(ctx context.Context, dst []solver.Result, src []solver.Grid) {
		most.Store(max(most.Load(), int64(len(src))))
		solver.SolveBatch(ctx, dst, src)
	})
	short := solution[:80] + "."
	conflict := "invalid row 1, column 3 repeats the 5 of row 1, column 1 in row 1"
	clash := "5.5" + easy[3:]
	cases := []struct {
		name       string
		body       string
		header     []string
		code, want string
	}{
		{"one", easy, nil, "", lines(solution + " unique")},
		{"two", lines(short, easy), nil, "", lines(solution+" unique", solution+" unique")},
		{"one with LF", easy + "\n", nil, "", lines(solution + " unique")},
		{"no solution", nothing, nil, "", "none\n"},
		{"against the rules", clash, nil, "400", conflict + "\n"},
		{"a bad line among others", lines("x", easy, clash), nil, "", lines("invalid 1 characters, want 81", solution+" unique", conflict)},
		{"bad lines alone", "x\ny", nil, "400", lines("invalid 1 characters, want 81", "invalid 1 characters, want 81")},
		{"no line", "", nil, "400", ""},
		{"bad header", easy, []string{wire.HeaderTimeout, "soon"}, "400", ""},
		{"time enough", easy, []string{wire.HeaderTimeout, ms(patience)}, "", lines(solution + " unique")},
		{"no time", easy, []string{wire.HeaderTimeout, "1"}, "504", ""},
		{"many", strings.Repeat(easy+"\n", maxJoining+1), nil, "", strings.Repeat(solution+" unique\n", maxJoining+1)},
		{"another", short, nil, "", lines(solution + " unique")},
	}
	var sent []exchange
	for _, c := range cases {
		sent = append(sent, put(t, s, nc, c.body, c.header...))
	}
	<-time.After(2 * time.Millisecond) // the time of the one without must run out
	open()
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			e := sent[i]
			e.t = t
			e.want(c.code, c.want)
		})
	}
	if got := most.Load(); got <= int64(len(cases))/2 {
		t.Errorf("at most %d puzzles were solved together, want most of %d requests", got, len(cases))
	}
	if requests, errors := requests(s, "solve"); requests != 1+len(cases) || errors != 5 {
		t.Errorf("solve has %d requests, %d errors, want %d, 5", requests, errors, 1+len(cases))
	}
}

// TestBatchWithPoison has a puzzle among others that takes for ever, or that the
// search cannot bear.
func TestBatchWithPoison(t *testing.T) {
	poison, _ := solver.Parse(nothing)
	for _, c := range []struct {
		name   string
		effect func(context.Context)
		code   string
		body   string
	}{
		{"takes for ever", func(ctx context.Context) { <-ctx.Done() }, "504", "timeout\n"},
		{"panics", func(context.Context) { panic("on purpose") }, "500", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var log bytes.Buffer
			o := Options{Timeout: 300 * time.Millisecond, Logger: slog.New(slog.NewTextHandler(&log, nil))}
			s, nc, open := held(t, o, func(ctx context.Context, dst []solver.Result, src []solver.Grid) {
				for i, g := range src {
					if g == poison {
						c.effect(ctx)
						continue
					}
					dst[i], _ = solver.Solve(ctx, g)
				}
			})
			var good, bad []exchange
			for range 3 {
				good = append(good, put(t, s, nc, easy))
				bad = append(bad, put(t, s, nc, nothing))
			}
			open()
			for _, e := range good {
				e.want("", solution+" unique\n")
			}
			for _, e := range bad {
				e.want(c.code, c.body)
			}
			if requests, errors := requests(s, "solve"); requests != 7 || errors != 3 {
				t.Errorf("solve has %d requests, %d errors, want 7, 3", requests, errors)
			}
			if err := s.Stop(t.Context()); err != nil {
				t.Fatal(err)
			}
			if want := c.code == "500"; strings.Contains(log.String(), "batch of requests") != want {
				t.Errorf("log speaks of a panic in a batch: %v, want %v:\n%s", !want, want, log.String())
			}
		})
	}
}

// A puzzle that takes long waits for a worker that is free, not for the one that
// met it.
func TestBatchSharesWhatTakesLong(t *testing.T) {
	poison, _ := solver.Parse(nothing)
	searching := make(chan struct{}, 100)
	s, _ := serve(t, Options{Concurrency: 2, Timeout: time.Hour}, func(ctx context.Context, dst []solver.Result, src []solver.Grid) {
		if len(src) == 1 && src[0] == poison {
			searching <- struct{}{}
		}
		<-ctx.Done()
	})
	w := newWorker(s)
	defer w.limit.close()
	for range 2 {
		w.batch = append(w.batch, newRequest(s.endpoints[0], &nats.Msg{Subject: wire.SubjectSolve, Reply: "nobody", Data: []byte(nothing)}))
	}
	w.serveBatch()
	<-searching
	<-searching
	s.cancel(nil)
}

func TestGather(t *testing.T) {
	single := request{Msg: &nats.Msg{Data: []byte(easy)}}
	pair := request{Msg: &nats.Msg{Data: []byte(lines(easy, easy))}}
	alone := request{Msg: &nats.Msg{Data: []byte(easy)}, alone: true}
	times := func(n int, r request) (all []request) {
		for range n {
			all = append(all, r)
		}
		return all
	}
	for _, c := range []struct {
		name    string
		workers int
		first   request
		waiting []request
		want    int
	}{
		{"nothing else", 1, single, nil, 1},
		{"the rest", 1, single, times(9, single), 10},
		{"half", 2, single, times(9, single), 5},
		{"half of an odd number", 2, single, times(10, single), 6},
		{"one each", 2, single, times(1, single), 1},
		{"puzzles count", 1, single, times(500, pair), 1 + maxBatch/2},
		{"not beyond the most", 1, single, times(1000, single), maxBatch},
		{"alone", 1, alone, times(10, single), 1},
		{"those alone stay", 1, single, times(10, alone), 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPool(c.workers, 10_000)
			for _, r := range c.waiting {
				p.add(r)
			}
			w := &worker{Service: &Service{pool: p}}
			if w.gather(c.first); len(w.batch) != c.want {
				t.Errorf("gather takes %d requests, want %d", len(w.batch), c.want)
			}
			if got, want := len(p.backlog)+len(p.alone), len(c.waiting)+1-c.want; got != want {
				t.Errorf("%d requests are left, want %d", got, want)
			}
		})
	}
}

// A pool that is closed gives away all that waits, of both kinds.
func TestPoolClosed(t *testing.T) {
	p := newPool(1, 100)
	for i := range 20 {
		p.add(request{Msg: &nats.Msg{Data: []byte(easy)}, alone: i%3 == 0})
	}
	p.close()
	n := 0
	for _, ok := p.take(); ok; _, ok = p.take() {
		n++
	}
	if n != 20 || p.waiting.Load() != 0 {
		t.Errorf("take gives %d requests and leaves %d puzzles, want 20 and 0", n, p.waiting.Load())
	}
	if p.add(request{Msg: &nats.Msg{}}) {
		t.Error("add after close = true, want false")
	}
}
