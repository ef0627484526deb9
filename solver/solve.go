package solver

import (
	"context"
	"errors"
	"iter"

	"sudoku/solver/internal/scalar"
)

// Status says how the search for a puzzle's solutions ended.
type Status uint8

// What can become of a puzzle. The zero value is Timeout, so that an answer
// that never came is never taken for a verdict.
const (
	Timeout  Status = iota // the context ended before the search did: nothing is known
	Unique                 // exactly one solution
	Multiple               // two solutions or more
	None                   // no solution, and the search is complete
	Invalid                // the clues break the rules; [Grid.Check] says where
)

func (s Status) String() string {
	return [...]string{"timeout", "unique", "multiple", "none", "invalid"}[s]
}

// Result is the answer to one puzzle. It is comparable with ==. The zero value
// is an answer that has not come, a [Timeout].
type Result struct {
	Status   Status
	Solution Grid // the lexicographically smallest solution when Unique or Multiple, else the zero Grid
}

// Errors of a puzzle without a solution. A puzzle that breaks the rules has
// one that matches [ErrInvalid] instead.
var (
	ErrNone    = errors.New("no solution")                       // the search is complete and found nothing
	ErrTimeout = errors.New("timed out before the search ended") // the context ended first: there may be a solution
)

// Err returns why r, an answer to puzzle, has no solution: [ErrNone],
// [ErrTimeout], or what puzzle.Check says; nil when there is a solution.
func (r Result) Err(puzzle Grid) error {
	switch r.Status {
	case Unique, Multiple:
		return nil
	case None:
		return ErrNone
	case Invalid:
		if err := puzzle.Check(); err != nil {
			return err
		}
		return ErrInvalid
	default:
		return ErrTimeout
	}
}

// Solve returns the lexicographically smallest solution of g, its cells read in
// row-major order, and whether it is the only one. The error is nil when there
// is a solution, else [ErrNone], [ErrTimeout], a [*ConflictError] or a
// [*DigitError], as [Result.Err] has it. When ctx is done the search stops
// within about a millisecond. Solve is safe for concurrent use and allocates
// nothing for a puzzle with a solution.
func Solve(ctx context.Context, g Grid) (Result, error) {
	e := scalar.Get(ctx)
	defer e.Put()
	r := solve(e, &g)
	return r, r.Err(g)
}

// solve is Solve on a given engine. The engine finds no solution where the clues
// contradict each other, so they are checked only then.
func solve(e *scalar.Engine, g *Grid) (r Result) {
	n, done := e.Solve((*[81]uint8)(g), (*[81]uint8)(&r.Solution))
	switch {
	case done && n > 0:
		r.Status = [...]Status{1: Unique, 2: Multiple}[n]
		return r
	case g.Check() != nil:
		return Result{Status: Invalid}
	case done:
		return Result{Status: None}
	default:
		return Result{}
	}
}

// Count returns how many solutions g has, and stops looking at limit: a result
// below limit is exact, and limit means that many or more. The error is nil,
// or [ErrTimeout] with the number found until ctx was done, or the error of
// [Grid.Check] with 0. A puzzle without solutions is a count of 0 and no error.
// A limit below 1 counts nothing and returns 0.
func Count(ctx context.Context, g Grid, limit int) (int, error) {
	if err := g.Check(); err != nil {
		return 0, err
	}
	if limit < 1 {
		return 0, nil
	}
	e := scalar.Get(ctx)
	defer e.Put()
	n, done := e.Count((*[81]uint8)(&g), limit)
	if !done {
		return n, ErrTimeout
	}
	return n, nil
}

// All yields every solution of g once, in lexicographic order; none when g
// breaks the rules. The sequence also ends when ctx is done: it is complete if
// the loop ran to its end and ctx.Err() is still nil.
func All(ctx context.Context, g Grid) iter.Seq[Grid] {
	return func(yield func(Grid) bool) {
		e := scalar.Get(ctx)
		defer e.Put()
		if !e.All((*[81]uint8)(&g), func(s *[81]uint8) bool { return yield(*s) }) {
			<-ctx.Done() // its deadline has passed, but its timer may be late
		}
	}
}
