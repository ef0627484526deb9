package jobs_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"sudoku/producer/client/jobs"
	"sudoku/solver/wire"
	"sudoku/worker/local/natstest"
)

func TestStatus(t *testing.T) {
	s := natstest.Start(t, natstest.JetStream(t))
	c := newClient(t, s)
	ctx := soon(t)
	if _, err := c.Status(ctx, "j"); !errors.Is(err, jobs.ErrNoJob) {
		t.Errorf("Status of no job = %v, want %v", err, jobs.ErrNoJob)
	}
	if all, err := c.Jobs(ctx); err != nil || len(all) != 0 {
		t.Errorf("Jobs where there are no streams = %v, %v, want none", all, err)
	}
	if _, err := c.Submit(ctx, "j", puzzles(t, 1000)); err != nil {
		t.Fatal(err)
	}
	got, err := c.Status(ctx, "j")
	if want := (jobs.Status{Job: "j", Complete: true, Chunks: 4, Puzzles: 1000, Pending: 4}); got != want || err != nil || got.State() != "solving" {
		t.Errorf("Status = %+v, %v, want %+v", got, err, want)
	}
	startWorker(t, s)
	if _, err := collect(c.Results(ctx, "j", jobs.Reading{Follow: true})); err != nil {
		t.Fatal(err)
	}
	got, err = c.Status(ctx, "j")
	if err != nil || got.State() != "solved" || got.Done != 4 || got.Started.IsZero() || got.Last.Before(got.Started) || got.Rate <= 0 {
		t.Errorf("Status = %+v, %v, want solved", got, err)
	}
	if all, err := c.Jobs(ctx); err != nil || len(all) != 1 || all[0].Job != "j" || all[0].Done != 4 || !all[0].Complete {
		t.Errorf("Jobs = %+v, %v, want the one", all, err)
	}
	results, err := jetStream(t, s).Stream(ctx, wire.StreamResults)
	if err == nil {
		err = results.Purge(ctx, jetstream.WithPurgeSubject(wire.ResultSubject("j")), jetstream.WithPurgeKeep(1))
	}
	if err != nil {
		t.Fatal(err)
	}
	if got, err := c.Status(ctx, "j"); err != nil || got.State() != "expired" || got.Done != 1 || got.Expired != 3 {
		t.Errorf("Status = %+v, %v, want 3 chunks expired", got, err)
	}
}

func TestCancel(t *testing.T) {
	s := natstest.Start(t, natstest.JetStream(t))
	c := newClient(t, s)
	setUp(t, c)
	ctx := soon(t)
	if err := c.Cancel(ctx, "j"); !errors.Is(err, jobs.ErrNoJob) {
		t.Errorf("Cancel of no job = %v, want %v", err, jobs.ErrNoJob)
	}
	// A reader waits, and a submitter is in the middle.
	begun, read := make(chan struct{}), make(chan error)
	go func() {
		_, err := collect(c.Results(ctx, "j", jobs.Reading{Follow: true}))
		read <- err
	}()
	submitted := make(chan error)
	go func() {
		_, err := c.Submit(ctx, "j", func(yield func(jobs.Puzzle) bool) {
			n := 0
			for yield(jobs.Puzzle{}) {
				if n++; n == 100_000 {
					close(begun)
				}
			}
		})
		submitted <- err
	}()
	<-begun
	if err := c.Cancel(ctx, "j"); err != nil {
		t.Fatalf("Cancel = %v, want nil", err)
	}
	for name, err := range map[string]error{"Submit": <-submitted, "Results": <-read} {
		if !errors.Is(err, jobs.ErrCancelled) {
			t.Errorf("%s of a job that is cancelled = %v, want %v", name, err, jobs.ErrCancelled)
		}
	}
	if _, err := c.Resume(ctx, "j", puzzles(t, 1)); !errors.Is(err, jobs.ErrCancelled) {
		t.Errorf("Resume = %v, want %v", err, jobs.ErrCancelled)
	}
	if got, err := c.Status(ctx, "j"); err != nil || got.State() != "cancelled" {
		t.Errorf("Status = %+v, %v, want cancelled", got, err)
	}
}

func TestIDsSort(t *testing.T) {
	var ids []string
	for range 100 {
		ids = append(ids, jobs.NewID()[:9])
	}
	if !slices.IsSorted(ids) || len(jobs.NewID()) != 14 {
		t.Errorf("NewID: %v are not in order", ids)
	}
}
