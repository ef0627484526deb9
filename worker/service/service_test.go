package service

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"sudoku/solver"
	"sudoku/solver/wire"
	"sudoku/worker/local/natstest"
)

func TestStartErrors(t *testing.T) {
	server := natstest.Start(t, "")
	nc := connect(t, server.URL)
	closed := connect(t, server.URL)
	closed.Close()
	for _, c := range []struct {
		name    string
		nc      *nats.Conn
		options Options
		want    string
	}{
		{"concurrency", nc, Options{Concurrency: -1}, "concurrency -1"},
		{"timeout", nc, Options{Timeout: time.Microsecond}, "timeout 1µs"},
		{"backlog", nc, Options{Backlog: -1}, "backlog -1"},
		{"closed connection", closed, Options{}, "subscribing to sudoku.v1.solve: nats: connection closed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := Start(c.nc, c.options)
			if s != nil || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Start(%+v) = %v, %v, want nil and an error with %q", c.options, s, err, c.want)
			}
		})
	}
}

func TestStartBeforeTheServer(t *testing.T) {
	server := natstest.Reserve(t, "")
	connected := make(chan struct{})
	worker := connect(t, server.URL, nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1), nats.ReconnectWait(time.Millisecond),
		nats.ConnectHandler(func(*nats.Conn) { close(connected) }))
	s, err := Start(worker, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop(t.Context())
	server.Start()
	<-connected
	if err := worker.Flush(); err != nil {
		t.Fatal(err)
	}
	send(t, connect(t, server.URL), wire.SubjectSolve, easy).want("", solution+" unique\n")
}

// Start does not mind a connection that is lost and comes back meanwhile.
func TestStartWhileTheConnectionIsLost(t *testing.T) {
	server := natstest.Start(t, "")
	worker := connect(t, server.URL, nats.MaxReconnects(-1), nats.ReconnectWait(time.Microsecond), nats.ReconnectJitter(0, 0))
	for range 300 {
		cut := make(chan struct{})
		go func() {
			defer close(cut)
			server.Cut(worker)
		}()
		s, err := Start(worker, Options{Concurrency: 1})
		if err != nil {
			t.Fatalf("Start = %v, want nil", err)
		}
		<-cut
		s.Stop(context.Background())
		for !worker.IsConnected() {
		}
	}
}

func TestStopAnswersWhatHasArrived(t *testing.T) {
	const n = 100
	gate := newGate()
	s, nc := serve(t, Options{Concurrency: 2}, gate.solve)
	var sent []exchange
	for range n {
		sent = append(sent, send(t, nc, wire.SubjectSolve, easy))
	}
	<-gate.entered
	stopped := make(chan error)
	go func() { stopped <- s.Stop(context.Background()) }()
	for _, e := range s.endpoints {
		<-e.closed
	}
	close(gate.open)
	if err := <-stopped; err != nil {
		t.Errorf("Stop = %v, want nil", err)
	}
	for _, e := range sent {
		e.want("", "none\n")
	}
	if _, err := nc.Request(wire.SubjectSolve, []byte(easy), patience); !errors.Is(err, nats.ErrNoResponders) {
		t.Errorf("request after Stop = %v, want %v", err, nats.ErrNoResponders)
	}
}

func TestStopCutShort(t *testing.T) {
	const n = 10
	gate := newGate()
	s, nc := serve(t, Options{Concurrency: 1}, gate.solve)
	var sent []exchange
	for range n {
		sent = append(sent, send(t, nc, wire.SubjectSolve, easy))
	}
	<-gate.entered
	hurry := errors.New("hurry")
	ctx, cancel := context.WithCancelCause(context.Background())
	stopped := make(chan error)
	go func() { stopped <- s.Stop(ctx) }()
	for _, e := range s.endpoints {
		<-e.closed
	}
	cancel(hurry)
	if err := <-stopped; err != hurry {
		t.Errorf("Stop = %v, want %v", err, hurry)
	}
	for _, e := range sent {
		e.want("504", "timeout\n")
	}
}

func TestStopWithoutTime(t *testing.T) {
	const n = 10
	s, nc := serve(t, Options{Concurrency: 1}, newGate().solve)
	var sent []exchange
	for range n {
		sent = append(sent, send(t, nc, wire.SubjectSolve, easy))
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.Stop(ctx); err != context.Canceled {
		t.Errorf("Stop = %v, want %v", err, context.Canceled)
	}
	for _, e := range sent {
		e.want("504", "timeout\n")
	}
}

func TestStopAgain(t *testing.T) {
	gate := newGate()
	s, nc := serve(t, Options{}, gate.solve)
	send(t, nc, wire.SubjectSolve, easy)
	<-gate.entered
	stopped := make(chan error)
	for range 3 {
		go func() { stopped <- s.Stop(context.Background()) }()
	}
	close(gate.open)
	for range 3 {
		if err := <-stopped; err != nil {
			t.Errorf("Stop = %v, want nil", err)
		}
	}
	if err := s.Stop(context.Background()); err != nil {
		t.Errorf("Stop again = %v, want nil", err)
	}
}

func TestStopAfterTheConnection(t *testing.T) {
	s, _ := serve(t, Options{}, solver.SolveBatch)
	s.nc.Close()
	if err := s.Stop(context.Background()); !errors.Is(err, nats.ErrConnectionClosed) {
		t.Errorf("Stop = %v, want %v", err, nats.ErrConnectionClosed)
	}
}

func TestPanic(t *testing.T) {
	var log bytes.Buffer
	s, nc := serve(t, Options{Concurrency: 1, Logger: slog.New(slog.NewTextHandler(&log, nil))},
		func(_ context.Context, dst []solver.Result, _ []solver.Grid) {
			if len(dst) > 1 {
				panic("two at once")
			}
			dst[0].Status = solver.None
		})
	send(t, nc, wire.SubjectSolve, lines(easy, easy)).want("500", "")
	send(t, nc, wire.SubjectSolve, easy).want("", "none\n")
	if requests, errors := requests(s, "solve"); requests != 2 || errors != 1 {
		t.Errorf("after a panic: %d requests, %d errors, want 2, 1", requests, errors)
	}
	if err := s.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"two at once", "TestPanic"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("log has no %q:\n%s", want, log.String())
		}
	}
}

func TestBusy(t *testing.T) {
	gate := newGate()
	s, nc := serve(t, Options{Concurrency: 1, Backlog: 2}, gate.solve)
	working := send(t, nc, wire.SubjectSolve, easy)
	<-gate.entered
	waiting := send(t, nc, wire.SubjectSolve, lines(easy, easy, easy)) // the first may be too many
	refused := send(t, nc, wire.SubjectSolve, easy).want("503", "")
	if after := wire.ParseError(refused.Header).RetryAfter; after < time.Millisecond || after > 10*time.Second {
		t.Errorf("busy says to retry after %v, want 1ms to 10s", after)
	}
	send(t, nc, wire.SubjectCount, easy).want("503", "")
	for _, e := range s.Stats().Endpoints {
		if got, want := string(e.Data), `"backlog":3}`; !strings.HasSuffix(got, want) {
			t.Errorf("%s has data %s, want %s", e.Name, got, want)
		}
	}
	close(gate.open)
	working.want("", "none\n")
	waiting.want("", "none\nnone\nnone\n")
	send(t, nc, wire.SubjectSolve, easy).want("", "none\n")
	if requests, errors := requests(s, "solve"); requests != 4 || errors != 1 {
		t.Errorf("solve has %d requests, %d errors, want 4, 1", requests, errors)
	}
	if got, want := string(s.Stats().Endpoints[0].Data), `{"busy":1,"dropped":0,"backlog":0}`; got != want {
		t.Errorf("solve has data %s, want %s", got, want)
	}
}

func TestRetryAfter(t *testing.T) {
	for _, c := range []struct {
		name    string
		pace    time.Duration
		waiting int64
		want    time.Duration
	}{
		{"nothing known", 0, 1000, time.Millisecond},
		{"half of what waits, two at a time", 100 * time.Microsecond, 4000, 100 * time.Millisecond},
		{"for ever", 10 * time.Second, 4000, 10 * time.Second},
	} {
		p := newPool(2, 10000)
		p.pace.Store(int64(c.pace))
		p.waiting.Store(c.waiting)
		if got := p.retryAfter(); got != c.want {
			t.Errorf("%s: retryAfter() = %v, want %v", c.name, got, c.want)
		}
	}
}

func TestTooLate(t *testing.T) {
	gate := newGate()
	s, nc := serve(t, Options{Concurrency: 1}, gate.solve)
	working := send(t, nc, wire.SubjectSolve, easy)
	<-gate.entered
	late := put(t, s, nc, easy, wire.HeaderTimeout, "1")
	patient := put(t, s, nc, easy, wire.HeaderTimeout, ms(patience))
	<-time.After(5 * time.Millisecond) // the time of the late one must run out
	close(gate.open)
	working.want("", "none\n")
	late.want("504", "")
	patient.want("", "none\n")
	if searches := 1 + len(gate.entered); searches != 2 {
		t.Errorf("%d searches, want 2", searches)
	}
	if _, errors := requests(s, "solve"); errors != 1 {
		t.Errorf("solve has %d errors, want 1", errors)
	}
}

func TestTimeoutDuringTheSearch(t *testing.T) {
	for _, c := range []struct {
		name    string
		timeout time.Duration // the worker's
		header  []string
	}{
		{"of the worker", 10 * time.Millisecond, nil},
		{"of the requester", time.Hour, []string{wire.HeaderTimeout, "10"}},
		{"of the worker, sooner", 10 * time.Millisecond, []string{wire.HeaderTimeout, ms(time.Hour)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, nc := serve(t, Options{Timeout: c.timeout}, newGate().solve)
			send(t, nc, wire.SubjectSolve, easy, c.header...).want("504", "timeout\n")
			send(t, nc, wire.SubjectSolve, lines(easy, easy), c.header...).want("504", "timeout\ntimeout\n")
		})
	}
}

// TestPoison has a puzzle that takes for ever among others.
func TestPoison(t *testing.T) {
	t.Parallel()
	poison, _ := solver.Parse(nothing)
	solve := func(ctx context.Context, dst []solver.Result, src []solver.Grid) {
		for i, g := range src {
			if g == poison {
				<-ctx.Done()
				continue
			}
			dst[i], _ = solver.Solve(ctx, g)
		}
	}
	good := solution + " unique"
	for _, c := range []struct {
		name    string
		timeout time.Duration // the worker's
		header  []string
	}{
		{"with the worker's limit", 300 * time.Millisecond, nil},
		{"with the requester's limit", time.Hour, []string{wire.HeaderTimeout, "3000"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, nc := serve(t, Options{Timeout: c.timeout}, solve)
			send(t, nc, wire.SubjectSolve, lines(nothing, easy, easy, nothing, easy), c.header...).
				want("", lines("timeout", good, good, "timeout", good))
		})
	}
}

func TestRequestWithoutReply(t *testing.T) {
	s, nc := serve(t, Options{Concurrency: 1}, solver.SolveBatch)
	if err := nc.Publish(wire.SubjectSolve, []byte(easy)); err != nil {
		t.Fatal(err)
	}
	send(t, nc, wire.SubjectSolve, easy).want("", solution+" unique\n")
	if requests, errors := requests(s, "solve"); requests != 2 || errors != 1 {
		t.Errorf("solve has %d requests, %d errors, want 2, 1", requests, errors)
	}
}

func TestReplyThatCannotBeSent(t *testing.T) {
	s, nc := serve(t, Options{Concurrency: 1}, solver.SolveBatch)
	s.nc.Close()
	s.take(newRequest(s.endpoints[0], &nats.Msg{Subject: wire.SubjectSolve, Reply: nc.NewInbox(), Data: []byte(easy)}))
	s.Stop(context.Background())
	if requests, errors := requests(s, "solve"); requests != 1 || errors != 1 {
		t.Errorf("solve has %d requests, %d errors, want 1, 1", requests, errors)
	}
}

func TestReplyTooLarge(t *testing.T) {
	const config = "max_payload: 2048"
	_, nc := serveOn(t, natstest.Start(t, config), Options{}, solver.SolveBatch)
	m := send(t, nc, wire.SubjectSolve, strings.Repeat("\n", 1000)).want("413", "")
	var bytes, most, puzzles int
	text := m.Header.Get(wire.HeaderError)
	if _, err := fmt.Sscanf(text, "reply of %d bytes, the server takes %d: send %d puzzles at most", &bytes, &most, &puzzles); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	reply := send(t, nc, wire.SubjectSolve, strings.Repeat("\n", puzzles)).reply()
	if got := strings.Count(string(reply.Data), "\n"); got != puzzles {
		t.Errorf("%d puzzles get %d answers after %q", puzzles, got, text)
	}
	send(t, nc, wire.SubjectSolve, strings.Repeat("\n", puzzles+1)).want("413", "")
}

func TestGarbage(t *testing.T) {
	_, nc := serve(t, Options{}, solver.SolveBatch)
	for _, c := range []struct {
		name   string
		body   string
		header []string
		code   string
	}{
		{"nothing", "", nil, "400"},
		{"zero bytes", "\x00\x00\x00", nil, "400"},
		{"lines of nothing", "\n\r\n\n", nil, "400"},
		{"not text", "\xff\xfe\xfd" + easy, nil, "400"},
		{"one long line", strings.Repeat("5", wire.MaxBytes), nil, "400"},
		{"too long", strings.Repeat("5", wire.MaxBytes+1), nil, "413"},
		{"as many lines as can be", strings.Repeat("\n", wire.MaxPuzzles), nil, "400"},
		{"too many lines", strings.Repeat("\n", wire.MaxPuzzles+1), nil, "400"},
		{"time of nobody", easy, []string{wire.HeaderTimeout, "-1"}, "400"},
		{"limit of letters", easy, []string{wire.HeaderLimit, "many"}, "400"},
		{"empty header", easy, []string{wire.HeaderTimeout, ""}, "400"},
		{"time beyond a day", easy, []string{wire.HeaderTimeout, "86400001"}, "400"},
		{"long header of ours", easy, []string{wire.HeaderTimeout, strings.Repeat("1", 1<<19)}, "400"},
		{"long header of others", easy, []string{"X", strings.Repeat("x", 1<<20-200)}, ""},
		{"many headers", easy, manyHeaders(10_000), ""},
		{"a header of ours among many", easy, append(manyHeaders(10_000), wire.HeaderTimeout, "soon"), "400"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, subject := range []string{wire.SubjectSolve, wire.SubjectCount, wire.SubjectAll} {
				m := send(t, nc, subject, c.body, c.header...).reply()
				if got := m.Header.Get(wire.HeaderErrorCode); got != c.code {
					t.Errorf("%s: code %q (%s), want %q", subject, got, m.Header.Get(wire.HeaderError), c.code)
				}
			}
			send(t, nc, wire.SubjectSolve, easy).want("", solution+" unique\n")
		})
	}
}

// manyHeaders returns n pairs of a name and a value.
func manyHeaders(n int) (pairs []string) {
	for i := range n {
		pairs = append(pairs, fmt.Sprintf("X-%d", i), "x")
	}
	return pairs
}

// TestSlowConsumer has the connection drop messages because the service does
// not take them.
func TestSlowConsumer(t *testing.T) {
	server := natstest.Start(t, "")
	slow := make(chan error, 1)
	worker := connect(t, server.URL, nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { slow <- err }))
	s, err := Start(worker, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop(t.Context())
	if err := s.endpoints[0].sub.SetPendingLimits(1, 1<<20); err != nil {
		t.Fatal(err)
	}
	nc := connect(t, server.URL)
	s.pool.mu.Lock()
	for range 10 {
		send(t, nc, wire.SubjectSolve, easy)
	}
	if err := <-slow; !errors.Is(err, nats.ErrSlowConsumer) {
		t.Errorf("error handler got %v, want %v", err, nats.ErrSlowConsumer)
	}
	s.pool.mu.Unlock()
	if err := s.endpoints[0].sub.SetPendingLimits(maxUnread, maxUnreadBytes); err != nil {
		t.Fatal(err)
	}
	send(t, nc, wire.SubjectCount, easy).want("", "1\n")
	send(t, nc, wire.SubjectSolve, easy).want("", solution+" unique\n")
	if got := string(s.Stats().Endpoints[0].Data); strings.Contains(got, `"dropped":0`) {
		t.Errorf("solve has data %s, want some dropped", got)
	}
}
