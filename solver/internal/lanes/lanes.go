package lanes

import (
	"context"
	"sync"

	"sudoku/solver/internal/work"
)

// A Set is an instruction set that there is an engine for.
type Set uint8

// The instruction sets.
const (
	AVX2   Set = iota // 16 lanes
	AVX512            // 32 lanes; needs F, BW, DQ and VL, and uses BITALG
)

// Available reports whether this CPU, operating system and build have s.
func (s Set) Available() bool { return s.kernels() != nil }

// Verdict is what is known of a puzzle.
type Verdict uint8

// What can be known of a puzzle.
const (
	Open Verdict = iota // nothing: the search became too long, or the context ended
	One                 // it has one solution
	Many                // it has two or more
	None                // it has none, perhaps because the clues break the rules
)

// Result is the answer to a puzzle. Solution is set with [One], and else means
// nothing.
type Result struct {
	Verdict  Verdict
	Solution [81]uint8
}

// Solve searches every src[i] and writes the answer to dst[i], which must be as
// many. It leaves open what takes more than some hundred guesses. When ctx is done
// it stops within about a millisecond and leaves open what has no answer. s must be
// available. Solve is safe for concurrent use, and allocates nothing but its
// state, which it uses again.
func (s Set) Solve(ctx context.Context, dst []Result, src [][81]uint8) {
	e := pool.Get().(*search)
	defer pool.Put(e)
	e.begin(s.kernels(), dst, src)
	e.run(ctx)
	e.end()
	e.shards[s].Add(work.Done{Searches: uint64(len(src)), Guesses: e.guesses})
}

// Work is what has been done in each [Set]; a batch counts when it ends.
var Work [2]work.Counter

var pool = sync.Pool{New: func() any {
	return &search{shards: [2]*work.Shard{Work[0].Shard(), Work[1].Shard()}}
}}
