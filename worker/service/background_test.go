package service

import (
	"context"
	"errors"
	"maps"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

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

// disturb has the first slot of s, whose thread never gives way, take it that there
// are requests for ever.
func disturb(s *Service) { s.slots[0].served.Store(int64(now() + 1000*time.Hour)) }

// bothWays runs f where there are no requests, and where there are some.
func bothWays(t *testing.T, f func(t *testing.T, prepare func(*Service))) {
	t.Helper()
	t.Run("quiet", func(t *testing.T) { f(t, func(*Service) {}) })
	t.Run("requests", func(t *testing.T) { f(t, disturb) })
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
	disturb(s)
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
func TestSolveHardOnes(t *testing.T) { bothWays(t, testSolveHardOnes) }

func testSolveHardOnes(t *testing.T, prepare func(*Service)) {
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
		defer s.pool.close()
		defer s.end()
		prepare(s)
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

// alone returns a service without a connection.
func alone(o Options, solve solveFunc) *Service {
	return newService(nil, o.withDefaults(), solve)
}

func TestSolveEndsWithItsContext(t *testing.T) { bothWays(t, testSolveEndsWithItsContext) }

func testSolveEndsWithItsContext(t *testing.T, prepare func(*Service)) {
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
			prepare(s)
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

func TestSolvePanics(t *testing.T) { bothWays(t, testSolvePanics) }

func testSolvePanics(t *testing.T, prepare func(*Service)) {
	crash := true
	s, _ := serve(t, Options{Concurrency: 1}, func(ctx context.Context, dst []solver.Result, src []solver.Grid) {
		if crash {
			panic("on purpose")
		}
		echo(ctx, dst, src)
	})
	prepare(s)
	if err := s.Solve(t.Context(), make([]solver.Result, 1), grids(1)); !errors.Is(err, wire.ErrInternal) {
		t.Errorf("Solve = %v, want %v", err, wire.ErrInternal)
	}
	crash = false
	if err := s.Solve(t.Context(), make([]solver.Result, 1), grids(1)); err != nil {
		t.Errorf("Solve after a panic = %v, want nil", err)
	}
}

// Where there are no requests, no more background searches go on at a time than
// there are slots, and what they do not find at once is left to the threads.
func TestSolveWhereItIsQuiet(t *testing.T) {
	const n, found = 300, 100
	var mu sync.Mutex
	hurrying, most := 0, 0
	sizes := map[int]int{}
	search := func(ctx context.Context, dst []solver.Result, src []solver.Grid) {
		mu.Lock()
		sizes[len(src)]++
		mu.Unlock()
		if len(src) < n {
			echo(ctx, dst, src)
			return
		}
		mu.Lock()
		hurrying++
		most = max(most, hurrying)
		mu.Unlock()
		time.Sleep(quietLimit / 2)
		mu.Lock()
		hurrying--
		mu.Unlock()
		echo(ctx, dst, src[:found])
	}
	synctest.Test(t, func(t *testing.T) {
		s := alone(Options{Concurrency: 2}, search)
		defer s.pool.close()
		defer s.end()
		var callers sync.WaitGroup
		for range 4 {
			callers.Go(func() {
				dst, src := make([]solver.Result, n), grids(n)
				if err := s.Solve(t.Context(), dst, src); err != nil {
					t.Errorf("Solve = %v, want nil", err)
				}
				for i := range src {
					if dst[i].Solution != src[i] {
						t.Errorf("answer %d is %v, want %v", i, dst[i], src[i])
					}
				}
			})
		}
		callers.Wait()
	})
	if want := map[int]int{n: 4, slicePuzzles: 4, n - found - slicePuzzles: 4}; !maps.Equal(sizes, want) {
		t.Errorf("searches by number of puzzles %v, want %v", sizes, want)
	}
	if most != 2 {
		t.Errorf("%d searches at a time, want 2", most)
	}
}

// A request is answered while background searches have all threads.
func TestRequestsDoNotWait(t *testing.T) {
	entered, open := make(chan bool), make(chan bool)
	s, nc := serve(t, Options{Concurrency: 2}, func(ctx context.Context, dst []solver.Result, src []solver.Grid) {
		if src[0] == grids(1)[0] {
			entered <- true
			<-open
		}
		echo(ctx, dst, src)
	})
	var callers sync.WaitGroup
	for range 2 {
		callers.Go(func() {
			if err := s.Solve(t.Context(), make([]solver.Result, 1), grids(1)); err != nil {
				t.Errorf("Solve = %v, want nil", err)
			}
		})
		<-entered
	}
	send(t, nc, wire.SubjectSolve, strings.Repeat(".", 81)).want("", strings.Repeat(".", 81)+" unique\n")
	close(open)
	callers.Wait()
}

// Background searches go on while requests have all workers.
func TestSolveDoesNotStarve(t *testing.T) {
	g := newGate()
	s, nc := serve(t, Options{Concurrency: 2}, func(ctx context.Context, dst []solver.Result, src []solver.Grid) {
		if src[0] == (solver.Grid{}) {
			g.solve(ctx, dst, src)
			return
		}
		echo(ctx, dst, src)
	})
	var requests []exchange
	for range 2 {
		requests = append(requests, send(t, nc, wire.SubjectSolve, strings.Repeat(".", 81)))
		<-g.entered
	}
	if err := s.Solve(t.Context(), make([]solver.Result, 1000), grids(1000)); err != nil {
		t.Errorf("Solve = %v, want nil", err)
	}
	close(g.open)
	for _, r := range requests {
		r.want("", "none\n")
	}
}

// A slot does no background search for a while after a request, and what it was
// at is left to others.
func TestSlotGivesWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := alone(Options{Concurrency: 1}, echo)
		defer s.pool.close()
		defer s.end()
		w, work := newWorker(s), make(chan *background)
		defer w.limit.close()
		slot := thread{Service: s, work: work, beside: w}
		s.threads.Go(slot.run)
		s.solve = func(ctx context.Context, dst []solver.Result, src []solver.Grid) {
			w.served.Store(int64(now()))
			echo(ctx, dst, src)
		}
		begun := time.Now()
		for left := range 3 { // slices
			b := newBackground(s, make([]solver.Result, slicePuzzles*(left+1)), grids(slicePuzzles*(left+1)))
			b.start(t.Context())
			work <- b
			if err := <-b.done; err != nil || len(b.todo) != slicePuzzles*left {
				t.Errorf("a turn = %v, and leaves %d puzzles, want %d", err, len(b.todo), slicePuzzles*left)
			}
			b.limit.close()
			if got, want := time.Since(begun), time.Duration(left)*giveWay; got != want {
				t.Errorf("turn %d was after %v, want %v", left, got, want)
			}
		}
	})
}
