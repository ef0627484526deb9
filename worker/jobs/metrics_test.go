package jobs_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"sudoku/solver"
	"sudoku/solver/wire"
	"sudoku/worker/jobs"
	"sudoku/worker/times"
)

func TestMetrics(t *testing.T) {
	_, nc := setUp(t)
	answers, dead := results(t, nc), subscribe(t, nc, wire.DeadSubject("j"))
	var tries atomic.Int32
	j := start(t, nc, func(ctx context.Context, dst []solver.Result, src []solver.Grid) error {
		if tries.Add(1) == 1 {
			return errors.New("on purpose")
		}
		return batch(ctx, dst, src)
	}, jobs.Options{Concurrency: 2, Backoff: []time.Duration{1}})
	publish(t, nc, 1) // fails, and is tried again
	await(t, answers)
	if err := nc.Publish(wire.JobSubject("j"), []byte(easy+"\n12345\n"+easy)); err != nil {
		t.Fatal(err)
	}
	await(t, answers)
	if err := nc.Publish(wire.JobSubject("j"), nil); err != nil { // no chunk
		t.Fatal(err)
	}
	await(t, dead)
	if err := j.Stop(context.Background()); err != nil { // all deliveries have ended
		t.Fatal(err)
	}
	got := j.Metrics()
	var want jobs.Metrics
	want.Deliveries[jobs.Done] = 2
	want.Deliveries[jobs.Retried] = 1
	want.Deliveries[jobs.Dead] = 1
	want.Redeliveries = 1
	want.Puzzles[solver.Unique] = 3
	want.Puzzles[solver.Invalid] = 1
	want.MostInHand = 24
	if searched, stored := count(got.Wait), count(got.Took); searched != 3 || stored != 2 {
		t.Errorf("the times are those of %d searches and %d chunks, want 3 and 2", searched, stored)
	}
	want.Wait, want.Took = got.Wait, got.Took
	if got != want {
		t.Errorf("Metrics() = %+v, want %+v", got, want)
	}
}

func count(h times.Histogram) (n uint64) {
	for _, c := range h.Counts {
		n += c
	}
	return n
}

// A chunk whose search takes long has taken long, and waited for a part of it.
func TestMetricsOfTimes(t *testing.T) {
	_, nc := setUp(t)
	sub := results(t, nc)
	g := newGate()
	j := start(t, nc, g.solve, jobs.Options{Concurrency: 1})
	publish(t, nc, 3)
	for range 2 { // as many as are solved at a time
		<-g.entered
	}
	const pause = 5 * time.Millisecond
	<-time.After(pause)
	close(g.open)
	for range 3 {
		await(t, sub)
	}
	if err := j.Stop(context.Background()); err != nil { // all deliveries have ended
		t.Fatal(err)
	}
	if m := j.Metrics(); m.Took.Sum < 2*pause || m.Wait.Sum <= 0 || m.Wait.Sum > m.Took.Sum {
		t.Errorf("3 chunks have taken %v and waited %v of it, want %v at least and a part", m.Took.Sum, m.Wait.Sum, 2*pause)
	}
}

func TestMetricsWhileStopping(t *testing.T) {
	_, nc := setUp(t)
	sub := results(t, nc)
	g := newGate()
	j := start(t, nc, g.solve, jobs.Options{Concurrency: 1})
	publish(t, nc, 2)
	for range 2 { // as many as are solved at a time
		<-g.entered
	}
	if m := j.Metrics(); m.InHand != 2 || m.MostInHand != 12 {
		t.Errorf("%d of %d in hand, want 2 of 12", m.InHand, m.MostInHand)
	}
	hurry, cancel := context.WithCancel(context.Background())
	cancel()
	j.Stop(hurry)
	if m := j.Metrics(); m.Deliveries[jobs.HandedBack] != 2 || m.InHand != 0 {
		t.Errorf("Metrics() = %+v, want 2 handed back and none in hand", m)
	}
	start(t, nc, batch, jobs.Options{})
	for range 2 {
		await(t, sub)
	}
}
