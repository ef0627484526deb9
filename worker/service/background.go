package service

import (
	"context"
	"runtime/debug"
	"time"

	"sudoku/solver"
	"sudoku/solver/wire"
)

// The steps of a background search. An ordinary slice takes a fraction of its
// limit.
const (
	slicePuzzles = 128
	sliceLimit   = 500 * time.Microsecond // of a slice
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
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	b := newBackground(s, ctx, dst, src)
	defer b.limit.close()
	for len(b.todo) > 0 {
		if err := b.await(); err != nil {
			return err
		}
	}
	return nil
}

// A background is one call of Solve. A thread searches for it at a time.
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

func newBackground(s *Service, ctx context.Context, dst []solver.Result, src []solver.Grid) *background {
	b := &background{Service: s, ctx: ctx, limit: newLimit(ctx), dst: dst[:len(src)], src: src, todo: make([]int, len(src)), done: make(chan error)}
	for i := range src {
		b.todo[i] = i
	}
	return b
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

// attempt solves the first puzzles without an answer, at most most, within d. A
// panic is an error.
func (b *background) attempt(t *thread, most int, d time.Duration) (err error) {
	defer func() {
		if p := recover(); p != nil {
			b.panics.Add(1)
			b.log.Error("panic in a background search", "panic", p, "stack", string(debug.Stack()))
			err = failed(wire.CodeInternal, "the worker failed, its log says how").failure
		}
	}()
	slice := b.todo[:min(most, len(b.todo))]
	t.grids = t.grids[:0]
	for _, i := range slice {
		t.grids = append(t.grids, b.src[i])
	}
	t.results = append(t.results[:0], make([]solver.Result, len(slice))...)
	b.limit.start(d)
	b.solve(b.limit, t.results, t.grids)
	b.limit.stop()
	if err := b.ctx.Err(); err != nil {
		return err
	}
	b.keep(slice, t.results)
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
