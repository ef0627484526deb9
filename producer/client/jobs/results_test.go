package jobs_test

import (
	"context"
	"errors"
	"fmt"
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
