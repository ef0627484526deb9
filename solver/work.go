package solver

import (
	"sudoku/solver/internal/lanes"
	"sudoku/solver/internal/scalar"
)

// Work is what an [Engine] has done for all searches of this process. Numbers of a
// search under way come soon, and all of them when it ends.
type Work struct {
	Searches uint64 // puzzles; one that the lanes leave to Scalar counts for both
	Guesses  uint64 // candidates tried where nothing more followed from the clues
}

// Work returns what e has done since the process began; that of Auto is the sum of
// all. Scalar has the searches of [Solve], [Count] and [All] too. Work is safe for
// concurrent use.
func (e Engine) Work() Work {
	switch e {
	case AVX512:
		return Work(lanes.Work[lanes.AVX512].Done())
	case AVX2:
		return Work(lanes.Work[lanes.AVX2].Done())
	case Scalar:
		return Work(scalar.Work.Done())
	}
	var sum Work
	for _, e := range []Engine{AVX512, AVX2, Scalar} {
		w := e.Work()
		sum.Searches += w.Searches
		sum.Guesses += w.Guesses
	}
	return sum
}
