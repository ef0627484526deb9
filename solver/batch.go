package solver

import (
	"context"
	"time"
	"unsafe"

	"sudoku/solver/internal/lanes"
	"sudoku/solver/internal/scalar"
)

// SolveBatch solves src[i] into dst[i] for every i, in no particular order of
// time. It panics if dst is shorter than src. Once ctx is done the puzzles that
// are not finished get [Timeout]; the others keep their answer. It uses the
// calling goroutine alone; call it from several for more than one CPU. Many puzzles
// a call are several times faster than few; see [Engine].
func SolveBatch(ctx context.Context, dst []Result, src []Grid) { Batch{}.Solve(ctx, dst, src) }

// Batch has the options of [Batch.Solve]. The zero value is [SolveBatch].
type Batch struct {
	Timeout time.Duration // limit of the search for one puzzle; 0 means none
}

// Solve is [SolveBatch] with a limit for each puzzle. A puzzle that takes longer gets
// [Timeout], and the others their answer.
func (b Batch) Solve(ctx context.Context, dst []Result, src []Grid) {
	dst = dst[:len(src)]
	if s, ok := Engine(engine.Load()).lanes(); ok && len(src) >= crossover {
		s.Solve(ctx, results(dst), grids(src))
	} else {
		clear(dst)
	}
	b.finish(ctx, dst, src)
}

// crossover is the number of puzzles from which on lanes are faster, measured on a
// Zen 4 with puzzles of every kind.
const crossover = 8

// finish answers what the lanes leave open. They know which puzzles have several
// solutions but not the smallest one. How long they search is bounded by a number
// of guesses, about a millisecond, so that the limit matters only here.
func (b Batch) finish(ctx context.Context, dst []Result, src []Grid) {
	s := b.searches(ctx)
	defer s.end()
	for i := range src {
		switch dst[i].Status {
		case Unique, Multiple:
		case None:
			dst[i] = Result{Status: refuse(&src[i])}
		default:
			dst[i] = solve(s.next(), &src[i])
		}
	}
}

// refuse returns Invalid or None for a puzzle without solution.
func refuse(g *Grid) Status {
	if g.Check() != nil {
		return Invalid
	}
	return None
}

// limit is a context that ends some time after its last start as well. Its deadline
// is that of the context in it.
type limit struct {
	context.Context
	timeout time.Duration
	end     time.Time
}

func (l *limit) Err() error {
	if err := l.Context.Err(); err != nil || time.Now().Before(l.end) {
		return err
	}
	return context.DeadlineExceeded
}

func (l *limit) start() { l.end = time.Now().Add(l.timeout) }

// searches are scalar searches one after the other.
type searches struct {
	engine *scalar.Engine
	limit  *limit // of each; nil: none
}

func (b Batch) searches(ctx context.Context) searches {
	s := searches{engine: scalar.Get(ctx)}
	if b.Timeout != 0 {
		s.limit = &limit{Context: ctx, timeout: b.Timeout}
	}
	return s
}

// next returns the engine for the next search.
func (s *searches) next() *scalar.Engine {
	if s.limit != nil {
		s.limit.start()
		s.engine.Put()
		s.engine = scalar.Get(s.limit)
	}
	return s.engine
}

func (s *searches) end() { s.engine.Put() }

// results and grids are the same memory in the types of package lanes.
func results(r []Result) []lanes.Result {
	return unsafe.Slice((*lanes.Result)(unsafe.Pointer(unsafe.SliceData(r))), len(r))
}

func grids(g []Grid) [][81]uint8 {
	return unsafe.Slice((*[81]uint8)(unsafe.Pointer(unsafe.SliceData(g))), len(g))
}

// A [Result] is laid out like a [lanes.Result], and a [Status] is a
// [lanes.Verdict].
var (
	_ [unsafe.Sizeof(Result{})]byte            = [unsafe.Sizeof(lanes.Result{})]byte{}
	_ [unsafe.Offsetof(Result{}.Solution)]byte = [unsafe.Offsetof(lanes.Result{}.Solution)]byte{}
	_ [1]struct{}                              = [1]struct{}{Timeout - Status(lanes.Open): {}}
	_ [1]struct{}                              = [1]struct{}{Unique - Status(lanes.One): {}}
	_ [1]struct{}                              = [1]struct{}{Multiple - Status(lanes.Many): {}}
	_ [1]struct{}                              = [1]struct{}{None - Status(lanes.None): {}}
)
