package solver_test

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"testing"
	"time"

	"sudoku/solver"
)

// Imam Bayildi, which takes more than a thousand nodes, and a slip of it that takes
// almost as many until it is known to have no solution.
const (
	hard     = "..3......4...8..36..8...1...4..6..73...9..........2..5..4.7..686........7..6..5.."
	hardNone = "..3......4...8..37..8...1...4..6..73...9..........2..5..4.7..686........7..6..5.."
	broken   = "11..............................................................................."
)

// looking is a context that is done when it has been looked at so many times, so that
// a search ends in its middle, and always at the same place.
type looking struct {
	context.Context
	left int
}

func (c *looking) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func looks(n int) *looking { return &looking{Context: context.Background(), left: n} }

// A search that was stopped knows nothing, wherever it was stopped.
func TestStoppedIsTimeout(t *testing.T) {
	for _, puzzle := range []string{hard, hardNone} {
		g := parse(t, puzzle)
		want, wantErr := solver.Solve(t.Context(), g)
		n := 0
		for ; ; n++ {
			r, err := solver.Solve(looks(n), g)
			if r == want && errors.Is(err, wantErr) {
				break
			}
			if r != (solver.Result{}) || err != solver.ErrTimeout {
				t.Fatalf("Solve(%v) after %d looks = %v, %v, want a timeout or %v, %v", g, n, r, err, want, wantErr)
			}
		}
		if n < 2 {
			t.Errorf("Solve(%v) ends after %d looks, too few for a test", g, n)
		}
	}
}

func TestSolveBatchStopped(t *testing.T) {
	src := make([]solver.Grid, 60)
	for i := range src {
		src[i] = parse(t, []string{hard, hardNone, broken}[i%3])
	}
	want, got := make([]solver.Result, len(src)), make([]solver.Result, len(src))
	solver.SolveBatch(t.Context(), want, src)
	partly := false
	for n, timeouts := 0, len(src); timeouts > 0; n++ {
		solver.SolveBatch(looks(n), got, src)
		timeouts = 0
		for i, r := range got {
			switch {
			case r == solver.Result{} && want[i].Status != solver.Invalid:
				timeouts++
			case r != want[i]:
				t.Fatalf("SolveBatch puzzle %d after %d looks = %v, want a timeout or %v", i, n, r, want[i])
			}
		}
		partly = partly || 0 < timeouts && timeouts < 40
	}
	if !partly {
		t.Error("SolveBatch has all timeouts or none after any number of looks, want some")
	}
}

func TestCountStopped(t *testing.T) {
	n, err := solver.Count(looks(5), solver.Grid{}, math.MaxInt)
	if n < 1 || n > 5*256 || err != solver.ErrTimeout {
		t.Errorf("Count of the empty grid after 5 looks = %d, %v, want some, %v", n, err, solver.ErrTimeout)
	}
}

func TestAllStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	for range solver.All(ctx, solver.Grid{}) {
		if n++; n == 1000 {
			cancel()
		}
	}
	if n < 1000 || n > 1000+256 {
		t.Errorf("All of the empty grid yields %d when stopped after 1000", n)
	}
}

func TestDoneBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	easy, invalid := records(t)[0].puzzle, parse(t, broken)
	if r, err := solver.Solve(ctx, easy); r != (solver.Result{}) || err != solver.ErrTimeout {
		t.Errorf("Solve = %v, %v, want a timeout", r, err)
	}
	if r, err := solver.Solve(ctx, invalid); r.Status != solver.Invalid || !errors.Is(err, solver.ErrInvalid) {
		t.Errorf("Solve of an invalid puzzle = %v, %v, want %v", r, err, solver.Invalid)
	}
	if n, err := solver.Count(ctx, easy, 2); n != 0 || err != solver.ErrTimeout {
		t.Errorf("Count = %d, %v, want 0, %v", n, err, solver.ErrTimeout)
	}
	for s := range solver.All(ctx, easy) {
		t.Errorf("All yields %v, want nothing", s)
	}
}

// late is a context whose deadline has passed before its timer has noticed.
type late struct{ context.Context }

func (late) Deadline() (time.Time, bool) { return time.Now().Add(-time.Nanosecond), true }

func TestDeadlineBeforeTimer(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if n, err := solver.Count(late{ctx}, solver.Grid{}, math.MaxInt); err != solver.ErrTimeout {
		t.Errorf("Count of the empty grid = %d, %v, want %v", n, err, solver.ErrTimeout)
	}
	go cancel()
	for s := range solver.All(late{ctx}, solver.Grid{}) {
		t.Errorf("All yields %v, want nothing", s)
	}
	if ctx.Err() == nil {
		t.Error("All has ended early and ctx.Err() = nil")
	}
}

// BenchmarkDeadline measures how late a search ends, with all processors busy.
func BenchmarkDeadline(b *testing.B) {
	var total atomic.Int64
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Millisecond)
			solver.Count(ctx, solver.Grid{}, math.MaxInt)
			deadline, _ := ctx.Deadline()
			total.Add(time.Since(deadline).Microseconds())
			cancel()
		}
	})
	b.ReportMetric(float64(total.Load())/float64(b.N), "µs-late/op")
}
