package client_test

import (
	"context"
	"errors"
	"iter"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"go.uber.org/goleak"

	"sudoku/producer/client"
	"sudoku/solver"
	"sudoku/solver/wire"
	"sudoku/worker/local"
	"sudoku/worker/local/natstest"
	"sudoku/worker/service"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A puzzle with one solution, which is grid 01 of https://projecteuler.net/problem=96,
// and grids of our own with another outcome each.
const (
	easy     = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
	two      = "534..8912672195348198342567859..1423426853791713924856961537284287419635345286179"
	none     = "532.7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
	conflict = "5.......5........................................................................"
	empty    = "................................................................................."
)

// patience is how long a test waits for what must come.
const patience = time.Minute

func parse(t testing.TB, text string) solver.Grid {
	t.Helper()
	g, err := solver.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// connect connects to a URL until the test ends.
func connect(t testing.TB, url string, o ...nats.Option) *nats.Conn {
	t.Helper()
	nc, err := nats.Connect(url, o...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

func newClient(t testing.TB, nc *nats.Conn, o client.Options) *client.Client {
	t.Helper()
	c, err := client.New(nc, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// embedded is a connection to a server and worker in this process.
func embedded(t testing.TB) *nats.Conn {
	t.Helper()
	l, err := local.Start(local.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Stop(context.Background()) })
	nc, err := l.Connect()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

// startWorker adds a worker with a connection of its own to a server.
func startWorker(t testing.TB, url string, o ...nats.Option) *nats.Conn {
	t.Helper()
	nc := connect(t, url, o...)
	s, err := service.Start(nc, service.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Stop(context.Background()) })
	return nc
}

// overBoth runs a test on a worker in this process, and on one over TCP.
func overBoth(t *testing.T, test func(t *testing.T, nc *nats.Conn)) {
	t.Run("embedded", func(t *testing.T) { test(t, embedded(t)) })
	t.Run("TCP", func(t *testing.T) {
		s := natstest.Start(t, "")
		startWorker(t, s.URL)
		test(t, connect(t, s.URL))
	})
}

// A remote answer is a local one, down to its error.
func TestSolve(t *testing.T) {
	tests := []struct {
		name, puzzle string
		wantIs       error
		wantConflict bool
	}{
		{"unique", easy, nil, false},
		{"multiple", two, nil, false},
		{"empty grid", empty, nil, false},
		{"none", none, solver.ErrNone, false},
		{"conflict", conflict, solver.ErrInvalid, true},
	}
	overBoth(t, func(t *testing.T, nc *nats.Conn) {
		c := newClient(t, nc, client.Options{})
		for _, tt := range tests {
			g := parse(t, tt.puzzle)
			got, err := c.Solve(t.Context(), g)
			want, wantErr := solver.Solve(t.Context(), g)
			if got != want {
				t.Errorf("%s: Solve = %v, want %v", tt.name, got, want)
			}
			if !errors.Is(err, tt.wantIs) || !errors.Is(wantErr, tt.wantIs) {
				t.Errorf("%s: Solve error = %v, want one that is %v as the local %v", tt.name, err, tt.wantIs, wantErr)
			}
			var conflict *solver.ConflictError
			if errors.As(err, &conflict) != tt.wantConflict {
				t.Errorf("%s: Solve error = %v, want a ConflictError: %t", tt.name, err, tt.wantConflict)
			}
		}
		_, err := c.Solve(t.Context(), solver.Grid{3: 12})
		var digit *solver.DigitError
		if !errors.As(err, &digit) || digit.Cell != 3 {
			t.Errorf("Solve of a cell that holds 12 = %v, want a DigitError of cell 3", err)
		}
	})
}

func TestSolveUnderContext(t *testing.T) {
	c := newClient(t, embedded(t), client.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := c.Solve(ctx, parse(t, easy))
	if r != (solver.Result{}) || !errors.Is(err, solver.ErrTimeout) || !errors.Is(err, context.Canceled) {
		t.Errorf("Solve = %v, %v, want the zero Result and an error that is ErrTimeout and Canceled", r, err)
	}
}

func TestCount(t *testing.T) {
	tests := []struct {
		name, puzzle string
		limit        int
		want         int
		wantIs       error
	}{
		{"unique", easy, 10, 1, nil},
		{"two", two, 10, 2, nil},
		{"two, one short of the limit", two, 3, 2, nil},
		{"two at the limit", two, 2, 2, nil},
		{"two above the limit", two, 1, 1, nil},
		{"none", none, 10, 0, nil},
		{"empty grid", empty, 1000, 1000, nil},
		{"nothing to count", empty, 0, 0, nil},
		{"conflict", conflict, 10, 0, solver.ErrInvalid},
	}
	overBoth(t, func(t *testing.T, nc *nats.Conn) {
		c := newClient(t, nc, client.Options{})
		for _, tt := range tests {
			got, err := c.Count(t.Context(), parse(t, tt.puzzle), tt.limit)
			if got != tt.want || !errors.Is(err, tt.wantIs) {
				t.Errorf("%s: Count(%d) = %d, %v, want %d, %v", tt.name, tt.limit, got, err, tt.want, tt.wantIs)
			}
		}
		if n, err := c.Count(t.Context(), parse(t, easy), wire.MaxCountLimit+1); n != 0 || err == nil {
			t.Errorf("Count above MaxCountLimit = %d, %v, want 0 and an error", n, err)
		}
	})
}

func TestAll(t *testing.T) {
	tests := []struct {
		name, puzzle string
		limit        int
		wantIs       error
	}{
		{"unique", easy, 10, nil},
		{"two", two, 10, nil},
		{"two at the limit", two, 2, nil},
		{"two above the limit", two, 1, nil},
		{"none", none, 10, nil},
		{"several pages", empty, 2000, nil},
		{"nothing", easy, 0, nil},
		{"conflict", conflict, 10, solver.ErrInvalid},
	}
	overBoth(t, func(t *testing.T, nc *nats.Conn) {
		c := newClient(t, nc, client.Options{})
		for _, tt := range tests {
			g := parse(t, tt.puzzle)
			got, err := collect(c.All(t.Context(), g, tt.limit))
			if want := first(solver.All(t.Context(), g), tt.limit); !slices.Equal(got, want) {
				t.Errorf("%s: All yields %d solutions, want the %d of solver.All", tt.name, len(got), len(want))
			}
			if !errors.Is(err, tt.wantIs) {
				t.Errorf("%s: All ends with %v, want %v", tt.name, err, tt.wantIs)
			}
		}
		if got, err := collect(c.All(t.Context(), parse(t, easy), wire.MaxAllLimit+1)); len(got) != 0 || err == nil {
			t.Errorf("All above MaxAllLimit = %v, %v, want nothing and an error", got, err)
		}
	})
}

func TestAllLeftEarly(t *testing.T) {
	c := newClient(t, embedded(t), client.Options{})
	for s, err := range c.All(t.Context(), solver.Grid{}, 10_000) {
		if err != nil || !s.Solves(solver.Grid{}) {
			t.Errorf("All yields %v, %v, want a solution", s, err)
		}
		break
	}
}

// collect returns what seq yields, and the error it ends with.
func collect[T any](seq iter.Seq2[T, error]) (all []T, err error) {
	for v, err := range seq {
		if err != nil {
			return all, err
		}
		all = append(all, v)
	}
	return all, nil
}

// first returns the first n of seq.
func first[T any](seq iter.Seq[T], n int) (vs []T) {
	for v := range seq {
		if len(vs) == n {
			break
		}
		vs = append(vs, v)
	}
	return vs
}

func TestClosedClient(t *testing.T) {
	c := newClient(t, embedded(t), client.Options{})
	c.Close()
	c.Close()
	if r, err := c.Solve(t.Context(), parse(t, easy)); r != (solver.Result{}) || !errors.Is(err, client.ErrClosed) {
		t.Errorf("Solve after Close = %v, %v, want the zero Result, %v", r, err, client.ErrClosed)
	}
}

func TestClosedConnection(t *testing.T) {
	nc := embedded(t)
	c := newClient(t, nc, client.Options{})
	nc.Close()
	if _, err := c.Solve(t.Context(), parse(t, easy)); !errors.Is(err, nats.ErrConnectionClosed) {
		t.Errorf("Solve = %v, want %v", err, nats.ErrConnectionClosed)
	}
	if c, err := client.New(nc, client.Options{}); c != nil || !errors.Is(err, nats.ErrConnectionClosed) {
		t.Errorf("New = %v, %v, want nil, %v", c, err, nats.ErrConnectionClosed)
	}
}
