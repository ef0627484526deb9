package service

import (
	"context"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"sudoku/solver"
	"sudoku/solver/wire"
)

// endpointMetrics returns the numbers of solve.
func endpointMetrics(s *Service) EndpointMetrics { return s.Metrics().Endpoints[0] }

func TestMetricsOfRejections(t *testing.T) {
	g := newGate()
	s, nc := serve(t, Options{Concurrency: 1, Backlog: 1}, g.solve)
	first := send(t, nc, wire.SubjectSolve, easy)
	<-g.entered
	late := send(t, nc, wire.SubjectSolve, easy, wire.HeaderTimeout, "1")
	send(t, nc, wire.SubjectSolve, easy).reply() // refused
	if m := s.Metrics(); m.Busy != 1 || m.Slots != 1 || m.Backlog < 1 || m.Room != 1 {
		t.Errorf("Metrics() = %+v, want 1 of 1 slots busy and a full backlog of 1", m)
	}
	<-time.After(2 * time.Millisecond) // the late one has arrived, its time must run out
	close(g.open)
	first.reply()
	late.reply()
	m := endpointMetrics(s)
	if want := [outcomes]uint64{OK: 1, Busy: 1, TimedOut: 1}; m.Requests != want {
		t.Errorf("Requests = %v, want %v", m.Requests, want)
	}
	if want := [reasons]uint64{BacklogFull: 1, Late: 1}; m.Rejected != want {
		t.Errorf("Rejected = %v, want %v", m.Rejected, want)
	}
	if want := [statuses]uint64{solver.None: 1}; m.Puzzles != want {
		t.Errorf("Puzzles = %v, want %v", m.Puzzles, want)
	}
	if m.Wait.Sum < 2*time.Millisecond || m.Took.Sum < 2*time.Millisecond {
		t.Errorf("waited %v and took %v, want 2ms or more each", m.Wait.Sum, m.Took.Sum)
	}
	s.Stop(context.Background())
	if m := s.Metrics(); m.Busy != 0 || m.Backlog != 0 {
		t.Errorf("Metrics() after Stop = %+v, want no slot busy and nothing that waits", m)
	}
}

func TestMetricsOfFailures(t *testing.T) {
	s, nc := serve(t, Options{Concurrency: 1, Timeout: time.Millisecond}, func(ctx context.Context, dst []solver.Result, _ []solver.Grid) {
		if len(dst) > 1 {
			panic("on purpose")
		}
		<-ctx.Done()
	})
	send(t, nc, wire.SubjectSolve, lines(easy, easy)).want("500", "")
	send(t, nc, wire.SubjectSolve, easy).want("504", "timeout\n")
	m := endpointMetrics(s)
	if want := [outcomes]uint64{Failed: 1, TimedOut: 1}; m.Requests != want {
		t.Errorf("Requests = %v, want %v", m.Requests, want)
	}
	if want := [reasons]uint64{}; m.Rejected != want {
		t.Errorf("Rejected = %v, want %v", m.Rejected, want)
	}
	if want := [statuses]uint64{solver.Timeout: 1}; m.Puzzles != want {
		t.Errorf("Puzzles = %v, want %v", m.Puzzles, want)
	}
	if got := s.Metrics().Panics; got != 1 {
		t.Errorf("Panics = %d, want 1", got)
	}
}

func TestMetricsOfLostReplies(t *testing.T) {
	s, nc := serve(t, Options{Concurrency: 1}, solver.SolveBatch)
	s.nc.Close()
	s.take(newRequest(s.endpoints[0], &nats.Msg{Subject: wire.SubjectSolve, Reply: nc.NewInbox(), Data: []byte(easy)}))
	s.Stop(context.Background())
	if m := endpointMetrics(s); m.Lost != 1 {
		t.Errorf("Lost = %d, want 1", m.Lost)
	}
}

// BenchmarkRecord is what the numbers of a request cost.
func BenchmarkRecord(b *testing.B) {
	e := newEndpoints()[0]
	p := e.accounts.book()
	puzzles := tally{solver.Unique: 1}
	a := reply{}
	b.ReportAllocs()
	for b.Loop() {
		e.accounts.record(p, 20*time.Microsecond, 2*time.Microsecond, &puzzles, &a)
	}
}
