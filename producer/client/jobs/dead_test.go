package jobs_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go"

	"sudoku/producer/client/jobs"
	"sudoku/solver"
	"sudoku/solver/wire"
	work "sudoku/worker/jobs"
	"sudoku/worker/local/natstest"
)

// poison is a puzzle at which the search below crashes, until it is cured.
var poison = solver.Grid{1}

func startFragile(t *testing.T, s *natstest.Server, cured *atomic.Bool) {
	t.Helper()
	nc := connect(t, s)
	j, err := work.Start(nc, func(ctx context.Context, dst []solver.Result, src []solver.Grid) error {
		for _, g := range src {
			if g == poison && !cured.Load() {
				panic("poison")
			}
		}
		solver.SolveBatch(ctx, dst, src)
		return nil
	}, work.Options{Backoff: fast})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Stop(context.Background()) })
}

func letters(t *testing.T, c *jobs.Client, job string) (all []jobs.Letter) {
	t.Helper()
	for l, err := range c.Dead(soon(t), job) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	return all
}

// A chunk that crashes the workers ends as a dead letter, and stops nobody; its
// puzzles keep their place; and when the fault is mended it can be tried again.
func TestDeadLetter(t *testing.T) {
	s := natstest.Start(t, natstest.JetStream(t))
	c := newClient(t, s)
	setUp(t, c)
	var cured atomic.Bool
	startFragile(t, s, &cured)
	ctx := soon(t)
	_, err := c.Submit(ctx, "j", func(yield func(jobs.Puzzle) bool) {
		i := 0
		for p := range puzzles(t, 1000) {
			if i == 300 {
				p.Grid = poison
			}
			if i++; !yield(p) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	n, failed := 0, 0
	for a, err := range c.Results(ctx, "j", jobs.Reading{Follow: true}) {
		if err != nil {
			t.Fatal(err)
		}
		if a.Index != n || a.Index/256 == 1 != errors.Is(a.Err, wire.ErrInternal) {
			t.Fatalf("answer %d is %d, %v", n, a.Index, a.Err)
		}
		if a.Index/256 == 1 {
			failed++
		}
		n++
	}
	if n != 1000 || failed != 256 {
		t.Errorf("Results: %d answers, %d of them failed, want 1000 and 256", n, failed)
	}
	status, err := c.Status(ctx, "j")
	if err != nil || status.State() != "failed" || status.Done != 3 || status.Failed != 1 {
		t.Errorf("Status = %+v, %v, want failed", status, err)
	}
	all := letters(t, c, "j")
	if len(all) != 1 || all[0].Chunk != "1" || all[0].Puzzles != 256 || all[0].Deliveries != len(fast)+1 || !errors.Is(all[0].Reason, wire.ErrInternal) {
		t.Fatalf("Dead = %+v, want one for chunk 1", all)
	}
	l, err := c.Letter(ctx, all[0].Sequence)
	if err != nil || wire.CountLines(l.Body) != 256 || !strings.Contains(string(l.Body), "\n"+poison.String()+"\t") {
		t.Errorf("Letter = %d lines, %v, want 256, as text", wire.CountLines(l.Body), err)
	}
	cured.Store(true)
	if err := c.Retry(ctx, l.Sequence); err != nil {
		t.Fatalf("Retry = %v, want nil", err)
	}
	n = 0
	for a, err := range c.Results(ctx, "j", jobs.Reading{Follow: true}) {
		if err != nil || errors.Is(a.Err, wire.ErrInternal) {
			t.Fatalf("answer %d after Retry: %v, %v", n, a.Err, err)
		}
		n++
	}
	if all := letters(t, c, ""); n != 1000 || len(all) != 0 {
		t.Errorf("after Retry: %d answers and %d letters, want 1000 and none", n, len(all))
	}
	if err := c.Remove(ctx, l.Sequence); !errors.Is(err, jobs.ErrNoLetter) {
		t.Errorf("Remove again = %v, want %v", err, jobs.ErrNoLetter)
	}
	if err := c.Retry(ctx, l.Sequence); !errors.Is(err, jobs.ErrNoLetter) {
		t.Errorf("Retry again = %v, want %v", err, jobs.ErrNoLetter)
	}
}

// What is no chunk is given up at once, with its payload and the reason. Garbage
// that has lines is one: its answers say that it is invalid.
func TestNoChunk(t *testing.T) {
	s := natstest.Start(t, natstest.JetStream(t))
	nc := connect(t, s)
	c := newClientOn(t, nc)
	setUp(t, c)
	startWorker(t, s)
	ctx := soon(t)
	for _, tt := range []struct {
		name, subject, body string
		header              nats.Header
		code                int
	}{
		{"empty", wire.JobSubject("a"), "", nil, 400},
		{"too many lines", wire.JobSubject("b"), strings.Repeat("x\n", 4097), nil, 400},
		{"too large", wire.JobSubject("c"), strings.Repeat("x", 600_000), nil, 413},
		{"as large as it can be", wire.JobSubject("d"), strings.Repeat("x", 1<<20), nil, 413},
		{"bad number", wire.JobSubject("e"), easy, nats.Header{wire.HeaderChunk: {"one"}}, 400},
		{"bad manifest", wire.ManifestSubject("f"), "x", nil, 400},
		{"unknown subject", wire.JobSubject("g.h"), easy, nil, 400},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dead := subscribe(t, nc, wire.SubjectDead)
			if err := nc.PublishMsg(&nats.Msg{Subject: tt.subject, Header: tt.header, Data: []byte(tt.body)}); err != nil {
				t.Fatal(err)
			}
			m, err := dead.NextMsgWithContext(ctx)
			if err != nil {
				t.Fatal(err)
			}
			job, _ := wire.ParseSubject(tt.subject)
			if m.Subject != wire.DeadSubject(job) || !strings.HasPrefix(tt.body, string(m.Data)) || m.Header.Get(wire.HeaderSubject) != tt.subject {
				t.Errorf("dead letter on %s with %d bytes of %s, want the same", m.Subject, len(m.Data), m.Header.Get(wire.HeaderSubject))
			}
			if e := wire.ParseError(m.Header); e == nil || e.Code != tt.code || m.Header.Get(wire.HeaderDeliveries) != "1" {
				t.Errorf("dead letter says %v after %s deliveries, want code %d after 1", e, m.Header.Get(wire.HeaderDeliveries), tt.code)
			}
		})
	}
	results := subscribe(t, nc, wire.ResultSubject("garbage"))
	if err := nc.Publish(wire.JobSubject("garbage"), []byte("\x00\xff\n\n\t\n")); err != nil {
		t.Fatal(err)
	}
	m, err := results.NextMsgWithContext(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for r, err := range wire.ParseJobResults(m.Data) {
		if err != nil || r.Status != solver.Invalid {
			t.Errorf("garbage is answered with %v, %v, want invalid", r, err)
		}
	}
}

func subscribe(t *testing.T, nc *nats.Conn, subject string) *nats.Subscription {
	t.Helper()
	sub, err := nc.SubscribeSync(subject)
	if err == nil {
		err = nc.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { sub.Unsubscribe() })
	return sub
}
