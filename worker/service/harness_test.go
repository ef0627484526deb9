package service

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"go.uber.org/goleak"

	"sudoku/solver"
	"sudoku/solver/wire"
	"sudoku/worker/local/natstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The example of Wikipedia's article on Sudoku, and a puzzle with no solution
// made of it.
const (
	easy     = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
	solution = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
	nothing  = "532.7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
)

// patience is how long a test waits for what must come.
const patience = time.Minute

func connect(t *testing.T, url string, o ...nats.Option) *nats.Conn {
	t.Helper()
	nc, err := nats.Connect(url, o...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

type solveFunc = func(context.Context, []solver.Result, []solver.Grid)

// serve starts a service, with a search of the test's own, on a server of its
// own. It returns a connection for requests.
func serve(t *testing.T, o Options, solve solveFunc) (*Service, *nats.Conn) {
	t.Helper()
	return serveOn(t, natstest.Start(t, ""), o, solve)
}

func serveOn(t *testing.T, server *natstest.Server, o Options, solve solveFunc) (*Service, *nats.Conn) {
	t.Helper()
	s, err := start(connect(t, server.URL), o, solve)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Stop(t.Context()) }) // t's context has ended by then
	return s, connect(t, server.URL)
}

// A gate is a search that begins, and goes on when the test says so. It answers
// with None, or Timeout when its context ended.
type gate struct {
	entered chan int // the number of puzzles of a search that begins
	open    chan struct{}
}

func newGate() *gate { return &gate{make(chan int, 1000), make(chan struct{})} }

func (g *gate) solve(ctx context.Context, dst []solver.Result, _ []solver.Grid) {
	g.entered <- len(dst)
	status := solver.None
	select {
	case <-g.open:
	case <-ctx.Done():
		status = solver.Timeout
	}
	for i := range dst {
		dst[i].Status = status
	}
}

// exchange is a request that has been sent.
type exchange struct {
	t   *testing.T
	sub *nats.Subscription
}

// send sends a request. The headers are pairs of a name and a value.
func send(t *testing.T, nc *nats.Conn, subject, body string, header ...string) exchange {
	t.Helper()
	m := nats.NewMsg(subject)
	m.Data = []byte(body)
	m.Reply = nc.NewInbox()
	for i := 0; i < len(header); i += 2 {
		m.Header[header[i]] = []string{header[i+1]}
	}
	sub, err := nc.SubscribeSync(m.Reply)
	if err == nil {
		err = nc.PublishMsg(m)
	}
	if err == nil {
		err = nc.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	return exchange{t, sub}
}

// reply returns the next reply.
func (e exchange) reply() *nats.Msg {
	e.t.Helper()
	m, err := e.sub.NextMsg(patience)
	if err != nil {
		e.t.Fatalf("no reply: %v", err)
	}
	return m
}

// want waits for a reply and compares its code, "" for none, and its body.
func (e exchange) want(code, body string) *nats.Msg {
	e.t.Helper()
	m := e.reply()
	if got := m.Header.Get(wire.HeaderErrorCode); got != code {
		e.t.Errorf("reply has code %q (%s), want %q", got, m.Header.Get(wire.HeaderError), code)
	}
	if got := string(m.Data); got != body {
		e.t.Errorf("reply = %q, want %q", got, body)
	}
	return m
}

// requests returns the numbers of an endpoint.
func requests(s *Service, name string) (requests, errors int) {
	for _, e := range s.Stats().Endpoints {
		if e.Name == name {
			return e.NumRequests, e.NumErrors
		}
	}
	return -1, -1
}

func ms(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

func lines(s ...string) string { return strings.Join(s, "\n") + "\n" }
