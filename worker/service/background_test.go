package service

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"

	"sudoku/solver"
	"sudoku/solver/wire"
)

// grids returns n puzzles, each another one for the marked search below.
func grids(n int) []solver.Grid {
	g := make([]solver.Grid, n)
	for i := range g {
		for d := range 4 {
			g[i][d] = uint8(1 + i>>(3*d)&7)
		}
	}
	return g
}

// echo answers a puzzle with itself as the solution.
func echo(_ context.Context, dst []solver.Result, src []solver.Grid) {
	for i := range src {
		dst[i] = solver.Result{Status: solver.Unique, Solution: src[i]}
	}
}

func TestSolveInSlices(t *testing.T) {
	var mu sync.Mutex
	most := 0
	s, _ := serve(t, Options{Concurrency: 2}, func(ctx context.Context, dst []solver.Result, src []solver.Grid) {
		mu.Lock()
		defer mu.Unlock()
		most = max(most, len(src))
		echo(ctx, dst, src)
	})
	for _, n := range []int{0, 1, slicePuzzles, 1000} {
		src := grids(n)
		dst := make([]solver.Result, n)
		if err := s.Solve(t.Context(), dst, src); err != nil {
			t.Fatalf("Solve of %d puzzles = %v, want nil", n, err)
		}
		for i := range src {
			if dst[i].Solution != src[i] {
				t.Fatalf("Solve of %d puzzles: answer %d is to another puzzle", n, i)
			}
		}
	}
	if most != slicePuzzles {
		t.Errorf("a slice had %d puzzles, want %d", most, slicePuzzles)
	}
}

// Puzzles that take long cost their neighbours nothing, each has its full time,
// and only those that exceed it have no answer.
func TestSolveHardOnes(t *testing.T) {
	took := func(i int) time.Duration {
		switch i % 50 {
		case 7:
			return aloneLimit / 2
		case 17:
			return time.Second
		case 27:
			return time.Minute
		}
		return 0
	}
	src := grids(200)
	index := map[solver.Grid]int{}
	for i, g := range src {
		index[g] = i
	}
	search := func(ctx context.Context, dst []solver.Result, src []solver.Grid) {
		for i, g := range src {
			select {
			case <-time.After(took(index[g])):
				dst[i] = solver.Result{Status: solver.Unique, Solution: g}
			case <-ctx.Done():
				return
			}
		}
	}
	synctest.Test(t, func(t *testing.T) {
		s := alone(Options{Concurrency: 2, Timeout: 10 * time.Second}, search)
		defer s.end()
		dst := make([]solver.Result, len(src))
		if err := s.Solve(t.Context(), dst, src); err != nil {
			t.Fatal(err)
		}
		for i := range src {
			want := solver.Unique
			if took(i) > s.options.Timeout {
				want = solver.Timeout
			}
			if dst[i].Status != want {
				t.Errorf("puzzle %d, which takes %v, is %v, want %v", i, took(i), dst[i].Status, want)
			}
		}
	})
}

func (s *Service) end() {
	s.pool.close()
	s.cancel(nil)
}

// alone returns a service without a connection.
func alone(o Options, solve solveFunc) *Service {
	return newService(nil, o.withDefaults(), solve)
}

func TestSolveEndsWithItsContext(t *testing.T) {
	for _, tt := range []struct {
		name string
		end  func(s *Service, cancel context.CancelFunc)
	}{
		{"the caller's", func(_ *Service, cancel context.CancelFunc) { cancel() }},
		{"the service's", func(s *Service, _ context.CancelFunc) {
			hurry, cancel := context.WithCancel(context.Background())
			cancel()
			s.Stop(hurry)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newGate()
			s, _ := serve(t, Options{Concurrency: 1}, g.solve)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var callers sync.WaitGroup
			for range 3 { // one searches, two wait
				callers.Go(func() {
					if err := s.Solve(ctx, make([]solver.Result, 1), grids(1)); !errors.Is(err, context.Canceled) {
						t.Errorf("Solve = %v, want %v", err, context.Canceled)
					}
				})
			}
			<-g.entered
			tt.end(s, cancel)
			callers.Wait()
		})
	}
}

func TestSolvePanics(t *testing.T) {
	crash := true
	s, _ := serve(t, Options{Concurrency: 1}, func(ctx context.Context, dst []solver.Result, src []solver.Grid) {
		if crash {
			panic("on purpose")
		}
		echo(ctx, dst, src)
	})
	if err := s.Solve(t.Context(), make([]solver.Result, 1), grids(1)); !errors.Is(err, wire.ErrInternal) {
		t.Errorf("Solve = %v, want %v", err, wire.ErrInternal)
	}
	crash = false
	if err := s.Solve(t.Context(), make([]solver.Result, 1), grids(1)); err != nil {
		t.Errorf("Solve after a panic = %v, want nil", err)
	}
}

// A worker that is free takes a request before a slice, however many slices
// wait, until they have waited too long.
func TestRequestsComeFirst(t *testing.T) {
	for _, tt := range []struct {
		name     string
		yielding time.Duration
		want     string
	}{
		{"at first", time.Hour, "request request request slice "},
		{"not for ever", 0, "slice request request request "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPool(1, 100)
				p.slices.yielding = tt.yielding
				got := ""
				var caller sync.WaitGroup
				caller.Go(func() { p.slices.run(t.Context(), func() { got += "slice " }) })
				synctest.Wait()
				for range 3 {
					p.add(request{Msg: &nats.Msg{}})
				}
				for range 4 {
					if _, slice, _ := p.take(); slice != nil {
						slice()
					} else {
						got += "request "
					}
				}
				caller.Wait()
				if got != tt.want {
					t.Errorf("order is %q, want %q", got, tt.want)
				}
			})
		})
	}
}
