package local

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"go.uber.org/goleak"

	"sudoku/producer/client/jobs"
	"sudoku/solver/wire"
	"sudoku/worker/service"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	puzzle   = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
	solution = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
	empty    = "................................................................................."
)

func start(t *testing.T) (*Local, *nats.Conn) {
	t.Helper()
	l, err := Start(Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Stop(t.Context()) })
	nc, err := l.Connect()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return l, nc
}

func TestSolve(t *testing.T) {
	l, nc := start(t)
	m, err := nc.Request(wire.SubjectSolve, []byte(puzzle), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(m.Data), solution+" unique\n"; got != want {
		t.Errorf("solve %s = %q, want %q", puzzle, got, want)
	}
	if addr := l.server.Addr(); addr != nil {
		t.Errorf("the server listens on %v, want no port", addr)
	}
}

func TestStopAgain(t *testing.T) {
	l, _ := start(t)
	for range 2 {
		if err := l.Stop(context.Background()); err != nil {
			t.Errorf("Stop = %v, want nil", err)
		}
	}
}

// TestStopAnswers stops while a search goes on that takes minutes.
func TestStopAnswers(t *testing.T) {
	l, nc := start(t)
	m := &nats.Msg{Subject: wire.SubjectCount, Reply: nc.NewInbox(), Data: []byte(empty), Header: wire.Terms{Limit: wire.MaxCountLimit}.Header()}
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
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := l.Stop(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Stop = %v, want %v", err, context.Canceled)
	}
	if m, err := sub.NextMsg(time.Minute); err != nil || string(m.Data) != "timeout\n" {
		t.Errorf("count %s while stopping = %v, %v, want timeout", empty, m, err)
	}
}

func TestStartErrors(t *testing.T) {
	l, err := Start(Options{Service: service.Options{Concurrency: -1}})
	if l != nil || err == nil {
		t.Errorf("Start with concurrency -1 = %v, %v, want nil and an error", l, err)
	}
}

// A job outlives the process it was given to, and no other works with its store
// meanwhile.
func TestStore(t *testing.T) {
	store := filepath.Join(t.TempDir(), "new", "store")
	const id = "j"
	ctx := t.Context()
	for _, step := range []func(*jobs.Client) error{
		func(c *jobs.Client) error {
			_, err := c.Submit(ctx, id, slices.Values([]jobs.Puzzle{{}, {Bad: true}}))
			return err
		},
		func(c *jobs.Client) error {
			n := 0
			for _, err := range c.Results(ctx, id, jobs.Reading{Follow: true}) {
				if err != nil {
					return err
				}
				n++
			}
			if n != 2 {
				t.Errorf("Results: %d answers, want 2", n)
			}
			return nil
		},
	} {
		l, err := Start(Options{Store: store})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Start(Options{Store: store}); !errors.Is(err, ErrStoreInUse) {
			t.Errorf("Start with a store that is in use = %v, want %v", err, ErrStoreInUse)
		}
		nc, err := l.Connect()
		if err != nil {
			t.Fatal(err)
		}
		c, err := jobs.New(nc, jobs.Options{})
		if err == nil {
			err = step(c)
		}
		if err != nil {
			t.Error(err)
		}
		nc.Close()
		if err := l.Stop(ctx); err != nil {
			t.Errorf("Stop = %v, want nil", err)
		}
	}
}
