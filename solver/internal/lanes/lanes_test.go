package lanes

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"sudoku/solver/internal/scalar"
)

// puzzles returns parts of solutions, some with a digit changed.
func puzzles(r *rand.Rand, n int) [][81]uint8 {
	all := make([][81]uint8, n)
	for p := range all {
		rows, digits := r.Perm(3), r.Perm(9)
		for _, i := range r.Perm(81)[:18+r.IntN(14)] {
			row := 3*(i/27) + rows[i/9%3]
			all[p][i] = uint8(1 + digits[(i%9+row*3+row/3)%9])
		}
		if r.IntN(3) == 0 {
			all[p][r.IntN(81)] = uint8(r.IntN(11))
		}
	}
	return all
}

// answers solves puzzles with the scalar engine.
func answers(src [][81]uint8) []Result {
	e := scalar.Get(context.Background())
	defer e.Put()
	all := make([]Result, len(src))
	for i := range src {
		n, _ := e.Solve(&src[i], &all[i].Solution)
		all[i].Verdict = [...]Verdict{None, One, Many}[n]
	}
	return all
}

// agrees reports whether r is want, or left open.
func (r Result) agrees(want Result) bool {
	return r.Verdict == Open || r == want || r.Verdict == None && want.Verdict == None
}

// TestCap bounds the guesses of a puzzle: it gets the right answer or none.
func TestCap(t *testing.T) {
	src := puzzles(rand.New(rand.NewPCG(5, 0)), 3000)
	want := answers(src)
	eachSet(t, func(t *testing.T, k *kernels) {
		dst := make([]Result, len(src))
		s := new(search)
		before := len(src)
		for cap := range uint16(6) {
			s.begin(k, dst, src)
			s.cap = cap
			s.run(t.Context())
			s.end()
			open := 0
			for i, got := range dst {
				if got.Verdict == Open {
					open++
				}
				if !got.agrees(want[i]) {
					t.Fatalf("%d guesses: Solve(%v) = %v, want %v", cap, src[i], got, want[i])
				}
			}
			if open == 0 || open > before {
				t.Errorf("%d guesses leave %d puzzles open, want some, and no more than %d", cap, open, before)
			}
			before = open
		}
	})
}

// TestBatches solves the same puzzles in batches of all sizes with one state.
func TestBatches(t *testing.T) {
	src := puzzles(rand.New(rand.NewPCG(6, 0)), 200)
	want := answers(src)
	for _, s := range []Set{AVX2, AVX512} {
		if !s.Available() {
			continue
		}
		for n := range len(src) {
			dst := slices.Repeat([]Result{{Verdict: 7}}, n)
			s.Solve(t.Context(), dst, src[:n])
			for i, got := range dst {
				if !got.agrees(want[i]) {
					t.Fatalf("Solve(%v) = %v, want %v", src[i], got, want[i])
				}
			}
		}
	}
}

// TestCancelled leaves open what has no answer when the context ends.
func TestCancelled(t *testing.T) {
	src := puzzles(rand.New(rand.NewPCG(7, 0)), 30000)
	for _, s := range []Set{AVX2, AVX512} {
		if !s.Available() {
			continue
		}
		for _, after := range []time.Duration{0, time.Millisecond, 4 * time.Millisecond} {
			ctx, cancel := context.WithTimeout(t.Context(), after)
			dst := slices.Repeat([]Result{{Verdict: 7}}, len(src))
			s.Solve(ctx, dst, src)
			cancel()
			var count [8]int
			for _, r := range dst {
				count[r.Verdict]++
			}
			if count[Open] == 0 || count[7] != 0 {
				t.Errorf("after %v, verdicts %v, want some open and none unwritten", after, count)
			}
		}
	}
}
