package jobs_test

import (
	"bytes"
	"context"
	"fmt"
	"github.com/nats-io/nats.go/jetstream"
	"iter"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"go.uber.org/goleak"

	"sudoku/producer/client/jobs"
	"sudoku/solver"
	work "sudoku/worker/jobs"
	"sudoku/worker/local/natstest"
	"sudoku/worker/service"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The example of Wikipedia's article on Sudoku.
const (
	easy     = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
	solution = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
)

// patience is how long a test waits for all that must come.
const patience = 3 * time.Minute

func soon(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

func connect(t testing.TB, s *natstest.Server, o ...nats.Option) *nats.Conn {
	t.Helper()
	o = append([]nats.Option{nats.MaxReconnects(-1), nats.ReconnectWait(10 * time.Millisecond)}, o...)
	nc, err := nats.Connect(s.URL, o...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

func newClient(t testing.TB, s *natstest.Server) *jobs.Client {
	t.Helper()
	return newClientOn(t, connect(t, s))
}

func newClientOn(t testing.TB, nc *nats.Conn) *jobs.Client {
	t.Helper()
	c, err := jobs.New(nc, jobs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// setUp makes the streams.
func setUp(t testing.TB, c *jobs.Client) {
	t.Helper()
	if _, err := c.Setup(context.Background(), jobs.Streams{}); err != nil {
		t.Fatal(err)
	}
}

// fast is when a worker of a test tries a chunk again.
var fast = []time.Duration{time.Millisecond, time.Millisecond}

// A worker is one for durable jobs.
type worker struct {
	nc      *nats.Conn // of the service
	bulk    *nats.Conn // of jobs
	service *service.Service
	jobs    *work.Jobs
}

func startWorker(t testing.TB, s *natstest.Server) *worker {
	t.Helper()
	w := &worker{nc: connect(t, s), bulk: connect(t, s)}
	var err error
	if w.service, err = service.Start(w.nc, service.Options{}); err != nil {
		t.Fatal(err)
	}
	if w.jobs, err = work.Start(w.bulk, w.service.Solve, work.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.stop(context.Background()) })
	return w
}

func (w *worker) stop(ctx context.Context) error {
	err := w.jobs.Stop(ctx)
	w.service.Stop(ctx)
	return err
}

// kill ends the worker without a word.
func (w *worker) kill() {
	w.nc.Close()
	w.bulk.Close()
	done, cancel := context.WithCancel(context.Background())
	cancel()
	w.stop(done)
}

func parse(t testing.TB, text string) solver.Grid {
	t.Helper()
	g, err := solver.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// puzzles yields n puzzles, each with its number as the note. Every tenth is
// another one: bad, breaking the rules, or without a solution.
func puzzles(t testing.TB, n int) iter.Seq[jobs.Puzzle] {
	good := parse(t, easy)
	twice := good
	twice[2] = 5
	none := good
	none[2] = 2
	return func(yield func(jobs.Puzzle) bool) {
		for i := range n {
			p := jobs.Puzzle{Grid: good, Note: fmt.Sprint(i)}
			switch i % 40 {
			case 9:
				p.Grid, p.Bad = solver.Grid{}, true
			case 19:
				p.Grid = twice
			case 29:
				p.Grid = none
			}
			if !yield(p) {
				return
			}
		}
	}
}

// answers returns what Results should say of puzzles, one line each.
func answers(from, n int) string {
	var b strings.Builder
	for i := from; i < n; i++ {
		switch i % 40 {
		case 9:
			fmt.Fprintf(&b, "%d bad invalid 0 characters, want 81\n", i)
		case 19:
			fmt.Fprintf(&b, "%d invalid row 1, column 3 repeats the 5 of row 1, column 1 in row 1\n", i)
		case 29:
			fmt.Fprintf(&b, "%d none no solution\n", i)
		default:
			fmt.Fprintf(&b, "%d unique %s\n", i, solution)
		}
	}
	return b.String()
}

// collect reads results into lines as those of answers.
func collect(seq iter.Seq2[jobs.Answer, error]) (lines string, err error) {
	var b strings.Builder
	for a, err := range seq {
		if err != nil {
			return b.String(), err
		}
		b.WriteString(line(a))
	}
	return b.String(), nil
}

func line(a jobs.Answer) string {
	text := a.Puzzle.Note
	if a.Puzzle.Bad {
		text += " bad"
	}
	if text == "" {
		text = fmt.Sprint(a.Index)
	}
	text += " " + a.Result.Status.String()
	if a.Err != nil {
		return text + " " + a.Err.Error() + "\n"
	}
	return text + " " + a.Result.Solution.String() + "\n"
}

// differ reports the first line in which got and want differ.
func differ(t *testing.T, got, want string) {
	t.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			t.Fatalf("answer %d is %q, want %q", i, g[i], w[i])
		}
	}
	if len(g) != len(w) {
		t.Fatalf("%d answers, want %d", len(g)-1, len(w)-1)
	}
}

func jetStream(t testing.TB, s *natstest.Server) jetstream.JetStream {
	t.Helper()
	js, err := jetstream.New(connect(t, s))
	if err != nil {
		t.Fatal(err)
	}
	return js
}

// A watch is a log that tells when a message was written.
type watch struct {
	message string
	seen    chan struct{}
	once    sync.Once
}

func newWatch(message string) *watch { return &watch{message: message, seen: make(chan struct{})} }

func (w *watch) logger() *slog.Logger { return slog.New(slog.NewTextHandler(w, nil)) }

func (w *watch) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte(w.message)) {
		w.once.Do(func() { close(w.seen) })
	}
	return len(line), nil
}
