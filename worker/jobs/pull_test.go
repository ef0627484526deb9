package jobs

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	client "sudoku/producer/client/jobs"
	"sudoku/solver"
	"sudoku/solver/wire"
	"sudoku/worker/local/natstest"
)

// flood publishes more to the inbox of p than its channel takes, none of which is
// anything. It returns how many are too much.
func flood(t *testing.T, nc *nats.Conn, p *puller) int {
	t.Helper()
	const more = 10
	for range cap(p.messages) + more {
		if err := nc.Publish(p.inbox+"nothing", nil); err != nil {
			t.Fatal(err)
		}
	}
	return more
}

// awaitDropped waits until p has dropped n messages.
func awaitDropped(t *testing.T, p *puller, n int) {
	t.Helper()
	for {
		got, err := p.sub.Dropped()
		if err != nil {
			t.Fatal(err)
		}
		if got >= n {
			return
		}
	}
}

func dial(t *testing.T, s *natstest.Server, o ...nats.Option) *nats.Conn {
	t.Helper()
	nc, err := nats.Connect(s.URL, o...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

// silent keeps nats.go from writing to standard error what it should drop.
var silent = nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})

// What was asked for counts as lost when messages were dropped: once.
func TestNoticeDropped(t *testing.T) {
	nc := dial(t, natstest.Start(t, ""), silent)
	p, err := newPuller(nc, slog.New(slog.DiscardHandler), 4)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.RemoveStatusListener(p.status)
	p.asked = 3
	if p.notice(); p.asked != 3 {
		t.Errorf("%d asked for and nothing dropped, want 3", p.asked)
	}
	awaitDropped(t, p, flood(t, nc, p))
	if p.notice(); p.asked != 0 || p.generation != 1 {
		t.Errorf("%d asked for in generation %d after messages were dropped, want 0, 1", p.asked, p.generation)
	}
	p.asked = 4
	if p.notice(); p.asked != 4 || p.generation != 1 {
		t.Errorf("%d asked for in generation %d with no further ones dropped, want 4, 1", p.asked, p.generation)
	}
}

// Chunks that were dropped come again, and are answered.
func TestSlowConsumer(t *testing.T) {
	const chunks = 4 // as many as a worker of one slot asks for
	s := natstest.Start(t, natstest.JetStream(t))
	nc := dial(t, s)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c, err := client.New(nc, client.Options{})
	if err == nil {
		_, err = c.Setup(ctx, client.Streams{AckWait: time.Second})
	}
	if err != nil {
		t.Fatal(err)
	}
	asked, err := nc.SubscribeSync(subjectNext)
	if err == nil {
		err = nc.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	slow := make(chan error, 1)
	solve := func(ctx context.Context, dst []solver.Result, src []solver.Grid) error {
		solver.SolveBatch(ctx, dst, src)
		return nil
	}
	j, err := Start(dial(t, s, nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { slow <- err })), solve, Options{Concurrency: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Stop(context.Background())
	if _, err := asked.NextMsgWithContext(ctx); err != nil {
		t.Fatal(err)
	}

	j.pull.mu.Lock() // which the puller waits for with the first message it gets
	dropped := flood(t, nc, j.pull) - 1
	awaitDropped(t, j.pull, dropped)
	if err := <-slow; !errors.Is(err, nats.ErrSlowConsumer) {
		t.Errorf("error handler got %v, want %v", err, nats.ErrSlowConsumer)
	}
	for range chunks {
		if err := nc.Publish(wire.JobSubject("j"), make([]byte, 81)); err != nil {
			t.Fatal(err)
		}
	}
	awaitDropped(t, j.pull, dropped+chunks)
	j.pull.mu.Unlock()

	for {
		status, err := c.Status(ctx, "j")
		if err != nil {
			t.Fatal(err)
		}
		if status.Done == chunks {
			break
		}
	}
	if m := j.Metrics(); m.Redeliveries == 0 {
		t.Errorf("no redeliveries, want some of %d", chunks)
	}
}
