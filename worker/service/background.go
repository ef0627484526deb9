package service

import (
	"context"
	"runtime/debug"
	"time"

	"sudoku/solver"
	"sudoku/solver/wire"
)

// The steps of a background search.
const (
	quietLimit   = 200 * time.Microsecond // of all puzzles, where there are no requests
	slicePuzzles = 128
	sliceLimit   = 500 * time.Microsecond // of a slice; an ordinary one takes a fraction of it
	aloneLimit   = 20 * time.Millisecond  // of a puzzle that has used up a slice
)

// Solve solves src[i] into dst[i] for every i, as [solver.SolveBatch] does, in
// the time that requests leave over; the package comment says which. It is safe
// for concurrent use. A puzzle that exceeds Options.Timeout has
// [solver.Timeout]. When ctx ends, or [Service.Stop] is done or cancels the
// searches, Solve returns within about a millisecond with the error of a context,
// and dst is not to be used; and so it is with wire.ErrInternal, a panic in the
// search, which is logged. It panics if dst is shorter than src.
func (s *Service) Solve(ctx context.Context, dst []solver.Result, src []solver.Grid) error {
	dst = dst[:len(src)]
	clear(dst)
	if s.quiet() {
		if err := s.hurry(ctx, dst, src); err != nil {
			return err
		}
	}
	if b := newBackground(s, dst, src); len(b.todo) > 0 {
		return b.run(ctx)
	}
	return nil
}

// hurry solves what it can in a moment and without a thread, once a slot is free
// for that.
func (s *Service) hurry(ctx context.Context, dst []solver.Result, src []solver.Grid) error {
	var l *limit
	select {
	case l = <-s.hurrying:
		defer func() { s.hurrying <- l }()
	case <-ctx.Done():
		return ctx.Err()
	case <-s.ctx.Done():
		return s.ctx.Err()
	}
	s.searching.Add(1)
	defer s.searching.Add(-1)
	return s.search(l, quietLimit, dst, src)
}

// search solves what it can within d, and before the parent of l ends, whose error
// it returns then. A panic is an error.
func (s *Service) search(l *limit, d time.Duration, dst []solver.Result, src []solver.Grid) (err error) {
	defer func() {
		if p := recover(); p != nil {
			s.panics.Add(1)
			s.log.Error("panic in a background search", "panic", p, "stack", string(debug.Stack()))
			err = failed(wire.CodeInternal, "the worker failed, its log says how").failure
		}
	}()
	l.start(d)
	s.solve(l, dst, src)
	l.stop()
	return l.parent.Err()
}

// A background is what is left of one call of Solve. A thread searches for it at a
// time.
type background struct {
	*Service
	ctx   context.Context
	limit *limit
	dst   []solver.Result
	src   []solver.Grid
	todo  []int // indexes of the puzzles without an answer
	stuck bool  // the first of them has used up its slices
	done  chan error
}

func newBackground(s *Service, dst []solver.Result, src []solver.Grid) *background {
	b := &background{Service: s, dst: dst, src: src}
	for i := range dst {
		if dst[i].Status == solver.Timeout {
			b.todo = append(b.todo, i)
		}
	}
	return b
}

// run returns when threads have done what there is to do.
func (b *background) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(b.Service.ctx, cancel)()
	b.start(ctx)
	defer b.limit.close()
	for len(b.todo) > 0 {
		if err := b.await(); err != nil {
			return err
		}
	}
	return nil
}

func (b *background) start(ctx context.Context) {
	b.ctx, b.limit, b.done = ctx, newLimit(ctx), make(chan error)
}

// await returns when a thread has had its turn.
func (b *background) await() error {
	threads := b.short
	if b.stuck {
		threads = b.long
	}
	select {
	case threads <- b:
		return <-b.done
	case <-b.ctx.Done():
		return b.ctx.Err()
	}
}

// turn searches until the thread gives way, or a puzzle is stuck; that one is
// searched up to its limit.
func (b *background) turn(t *thread) error {
	if b.stuck {
		return b.outlast(t)
	}
	for len(b.todo) > 0 && !b.stuck && !t.givesWay() {
		if err := b.step(t); err != nil {
			return err
		}
	}
	return nil
}

// step answers at least one puzzle, or else the first is stuck.
func (b *background) step(t *thread) error {
	before := len(b.todo)
	if err := b.attempt(t, slicePuzzles, sliceLimit); err != nil || len(b.todo) < before {
		return err
	}
	err := b.attempt(t, 1, aloneLimit)
	b.stuck = len(b.todo) == before
	return err
}

func (b *background) outlast(t *thread) error {
	before := len(b.todo)
	err := b.attempt(t, 1, b.options.Timeout)
	b.todo = b.todo[len(b.todo)-before+1:]
	b.stuck = false
	return err
}

// attempt solves the first puzzles without an answer, at most most, within d.
func (b *background) attempt(t *thread, most int, d time.Duration) error {
	slice := b.todo[:min(most, len(b.todo))]
	t.grids = t.grids[:0]
	for _, i := range slice {
		t.grids = append(t.grids, b.src[i])
	}
	t.results = append(t.results[:0], make([]solver.Result, len(slice))...)
	if err := b.search(b.limit, d, t.results, t.grids); err != nil {
		return err
	}
	b.keep(slice, t.results)
	giveUpCPU()
	return nil
}

// keep takes over the answers to slice, the beginning of todo, and moves what is
// left of it to the end of that part.
func (b *background) keep(slice []int, results []solver.Result) {
	left := len(slice)
	for i := len(slice) - 1; i >= 0; i-- {
		b.dst[slice[i]] = results[i]
		if results[i].Status == solver.Timeout {
			left--
			slice[left] = slice[i]
		}
	}
	b.todo = b.todo[left:]
}
