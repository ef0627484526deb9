package jobs_test

import (
	"slices"
	"testing"
	"time"

	"sudoku/producer/client/jobs"
	"sudoku/solver/wire"
	"sudoku/worker/local/natstest"
)

func TestSetup(t *testing.T) {
	s := natstest.Start(t, natstest.JetStream(t))
	c := newClient(t, s)
	ctx := soon(t)
	check := func(what string, got []jobs.Change, err error, want ...string) {
		t.Helper()
		var texts []string
		for _, c := range got {
			texts = append(texts, c.String())
		}
		if err != nil || !slices.Equal(texts, want) {
			t.Errorf("%s = %q, %v, want %q", what, texts, err, want)
		}
	}
	all := []string{"SUDOKU_JOBS: create", "SUDOKU_RESULTS: create", "SUDOKU_DEAD: create", "SUDOKU_JOBS/workers: create"}
	got, err := c.Diff(ctx, jobs.Streams{})
	check("Diff at first", got, err, all...)
	got, err = c.Setup(ctx, jobs.Streams{})
	check("Setup", got, err, all...)
	got, err = c.Setup(ctx, jobs.Streams{})
	check("Setup again", got, err)
	other := jobs.Streams{JobsBytes: 1 << 20, ResultsAge: time.Hour, AckWait: time.Minute}
	changes := []string{
		"SUDOKU_JOBS: max_bytes is 1073741824, want 1048576",
		"SUDOKU_RESULTS: max_age is 168h0m0s, want 1h0m0s",
		"SUDOKU_JOBS/workers: ack_wait is 15s, want 1m0s",
	}
	got, err = c.Diff(ctx, other)
	check("Diff", got, err, changes...)
	got, err = c.Setup(ctx, other)
	check("Setup with other settings", got, err, changes...)
	got, err = c.Diff(ctx, other)
	check("Diff after it", got, err)
	if got, err := c.Setup(ctx, jobs.Streams{Memory: true}); err == nil {
		t.Errorf("Setup with another storage = %v, nil, want an error", got)
	}
	if got, err := c.Setup(ctx, jobs.Streams{Replicas: 3}); err == nil {
		t.Errorf("Setup with three replicas on one server = %v, nil, want an error", got)
	}
}

// The first submission makes what is absent, and leaves alone what is there.
func TestFirstUse(t *testing.T) {
	s := natstest.Start(t, natstest.JetStream(t))
	c := newClient(t, s)
	ctx := soon(t)
	if _, err := c.Setup(ctx, jobs.Streams{ResultsAge: time.Hour}); err != nil {
		t.Fatal(err)
	}
	if err := jetStream(t, s).DeleteStream(ctx, wire.StreamJobs); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Submit(ctx, "j", puzzles(t, 1)); err != nil {
		t.Fatal(err)
	}
	if got, err := c.Diff(ctx, jobs.Streams{ResultsAge: time.Hour}); err != nil || len(got) != 0 {
		t.Errorf("Diff after Submit = %v, %v, want the settings there were, and the default ones of SUDOKU_JOBS", got, err)
	}
}
