package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"github.com/nats-io/nats.go"
	"math/rand/v2"
	"slices"
	"testing"

	"sudoku/producer/client/jobs"
	"sudoku/solver/wire"
	"sudoku/worker/local/natstest"
)

func TestJob(t *testing.T) {
	s := natstest.Start(t, natstest.JetStream(t))
	c := newClient(t, s)
	for _, n := range []int{0, 1, 256, 1000, 5000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			ctx := soon(t)
			id := jobs.NewID()
			m, err := c.Submit(ctx, id, puzzles(t, n))
			if want := (wire.JobManifest{Chunks: (n + 255) / 256, Puzzles: n}); m != want || err != nil {
				t.Fatalf("Submit = %v, %v, want %v", m, err, want)
			}
			w := startWorker(t, s)
			got, err := collect(c.Results(ctx, id, jobs.Reading{Follow: true}))
			if err != nil {
				t.Fatalf("Results = %v, want nil", err)
			}
			differ(t, got, answers(0, n))
			again, err := collect(c.Results(ctx, id, jobs.Reading{}))
			if err != nil || again != got {
				t.Errorf("Results a second time = %d bytes, %v, want the same", len(again), err)
			}
			for _, from := range []int{1, 255, 256, 700, n} {
				if got, err := collect(c.Results(ctx, id, jobs.Reading{From: from})); err != nil || got != answers(from, n) {
					t.Errorf("Results from %d = %d bytes, %v, want %d bytes", from, len(got), err, len(answers(from, n)))
				}
			}
			if err := w.stop(ctx); err != nil {
				t.Errorf("Stop = %v, want nil", err)
			}
		})
	}
}

// A job whose chunks were published by somebody who knows nothing but the
// subject.
func TestPlainJob(t *testing.T) {
	s := natstest.Start(t, natstest.JetStream(t))
	nc := connect(t, s)
	c := newClientOn(t, nc)
	setUp(t, c)
	startWorker(t, s)
	ctx := soon(t)
	want := ""
	for i := range 300 {
		body := fmt.Sprintf("%s\t%d\r\n%s", easy, 2*i, easy)
		if err := nc.Publish(wire.JobSubject("plain"), []byte(body)); err != nil {
			t.Fatal(err)
		}
		want += fmt.Sprintf("%d unique %s\n%d unique %s\n", 2*i, solution, 2*i+1, solution)
	}
	follow, cancel := context.WithCancel(ctx)
	defer cancel()
	got, n := "", 0
	for a, err := range c.Results(follow, "plain", jobs.Reading{Follow: true}) {
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			break
		}
		got += line(a)
		if n++; n == 600 {
			cancel()
		}
	}
	differ(t, got, want)
	if again, err := collect(c.Results(ctx, "plain", jobs.Reading{From: 300})); err != nil || again != want[len(want)-len(again):] || len(again) == 0 {
		t.Errorf("Results from 300 = %d bytes, %v, want the second half", len(again), err)
	}
}

func TestResultsWithoutAnEnd(t *testing.T) {
	s := natstest.Start(t, natstest.JetStream(t))
	nc := connect(t, s)
	c := newClientOn(t, nc)
	ctx := soon(t)
	if _, err := collect(c.Results(ctx, "nothing", jobs.Reading{})); !errors.Is(err, jobs.ErrNoJob) {
		t.Errorf("Results where there are no streams = %v, want %v", err, jobs.ErrNoJob)
	}
	setUp(t, c)
	if _, err := collect(c.Results(ctx, "nothing", jobs.Reading{})); !errors.Is(err, jobs.ErrNoJob) {
		t.Errorf("Results of no job = %v, want %v", err, jobs.ErrNoJob)
	}
	if _, err := c.Submit(ctx, "waits", puzzles(t, 10)); err != nil {
		t.Fatal(err)
	}
	incomplete := new(jobs.IncompleteError)
	if _, err := collect(c.Results(ctx, "waits", jobs.Reading{})); !errors.As(err, &incomplete) || incomplete.Lost {
		t.Errorf("Results before there is a worker = %v, want an IncompleteError", err)
	}
	if _, err := collect(c.Results(ctx, "a.b", jobs.Reading{})); err == nil {
		t.Error("Results of a job with a dot = nil, want an error")
	}
}

func TestNoJetStream(t *testing.T) {
	s := natstest.Start(t, "")
	c := newClient(t, s)
	ctx := soon(t)
	if _, err := c.Submit(ctx, "j", puzzles(t, 1)); !errors.Is(err, jobs.ErrNoJetStream) {
		t.Errorf("Submit = %v, want %v", err, jobs.ErrNoJetStream)
	}
	if _, err := c.Setup(ctx, jobs.Streams{}); !errors.Is(err, jobs.ErrNoJetStream) {
		t.Errorf("Setup = %v, want %v", err, jobs.ErrNoJetStream)
	}
	if _, err := collect(c.Results(ctx, "j", jobs.Reading{})); !errors.Is(err, jobs.ErrNoJetStream) {
		t.Errorf("Results = %v, want %v", err, jobs.ErrNoJetStream)
	}
}

// Results come in any order, some twice and some late; the answers come in theirs,
// however little is remembered.
func TestOrder(t *testing.T) {
	const n = 300
	s := natstest.Start(t, natstest.JetStream(t))
	nc := connect(t, s)
	c := newClientOn(t, nc)
	setUp(t, c)
	ctx := soon(t)
	publish := func(m *nats.Msg) {
		t.Helper()
		if _, err := nc.RequestMsgWithContext(ctx, m); err != nil { // the acknowledgement of JetStream
			t.Fatal(err)
		}
	}
	result := func(job string, number int) {
		chunk := wire.Chunk{Numbered: true, Number: number, First: 2 * number}
		m := &nats.Msg{Subject: wire.ResultSubject(job), Header: chunk.Header(), Data: fmt.Appendf(nil, "none\t%s\ninvalid why\tx\n", easy)}
		m.Header.Set(wire.HeaderPuzzles, "2")
		publish(m)
	}
	for name, order := range map[string][]int{
		"straight":       identity(n),
		"backwards":      reversed(n),
		"first-one-late": append(identity(n)[1:], 0),
		"shuffled":       rand.New(rand.NewPCG(1, 2)).Perm(n),
		"all-twice":      append(identity(n), reversed(n)...),
	} {
		for _, number := range order {
			result(name, number)
		}
		publish(&nats.Msg{Subject: wire.ResultManifestSubject(name), Data: wire.JobManifest{Chunks: n, Puzzles: 2 * n}.Encode()})
		for _, ahead := range []int{20, 1 << 16} {
			c.SetAhead(ahead)
			for _, from := range []int{0, 301, 2*n - 1} {
				next := from
				for a, err := range c.Results(ctx, name, jobs.Reading{From: from, Follow: ahead == 20}) {
					if err != nil || a.Index != next || a.Puzzle.Bad != (next%2 == 1) {
						t.Fatalf("%s, %d ahead, from %d: answer %+v, %v, want number %d", name, ahead, from, a, err, next)
					}
					next++
				}
				if next != 2*n {
					t.Errorf("%s, %d ahead, from %d: %d answers, want %d", name, ahead, from, next-from, 2*n-from)
				}
			}
		}
	}
}

func identity(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func reversed(n int) []int {
	all := identity(n)
	slices.Reverse(all)
	return all
}

// A reader that follows finds the end of a job where no worker tells it.
func TestManifestNotPassedOn(t *testing.T) {
	s := natstest.Start(t, natstest.JetStream(t))
	c, js, ctx := newClient(t, s), jetStream(t, s), soon(t)
	setUp(t, c)
	publish := func(subject string, header nats.Header, body []byte) {
		t.Helper()
		if _, err := js.PublishMsg(ctx, &nats.Msg{Subject: subject, Header: header, Data: body}); err != nil {
			t.Fatal(err)
		}
	}
	publish(wire.JobSubject("j"), wire.Chunk{Numbered: true}.Header(), []byte(easy))
	w := startWorker(t, s)
	got := ""
	for a, err := range c.Results(ctx, "j", jobs.Reading{Follow: true}) {
		if err != nil {
			t.Fatal(err)
		}
		got += line(a)
		if err := w.stop(ctx); err != nil {
			t.Fatal(err)
		}
		publish(wire.ManifestSubject("j"), nil, wire.JobManifest{Chunks: 1, Puzzles: 1}.Encode())
	}
	if want := "0 unique " + solution + "\n"; got != want {
		t.Errorf("Results = %q, want %q", got, want)
	}
}
