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
	b := background{Service: s, ctx: ctx, limit: newLimit(ctx), dst: dst[:len(src)], src: src}
	defer b.limit.close()
	for i := range src {
		b.todo = append(b.todo, i)
	}
	for len(b.todo) > 0 {
		if err := b.step(); err != nil {
			return err
		}
	}
	return nil
}

// A background is one call of Solve.
type background struct {
	*Service
	ctx   context.Context
	limit *limit
	dst   []solver.Result
	src   []solver.Grid
	todo  []int // indexes of the puzzles without an answer

	grids   []solver.Grid // of the slice
	results []solver.Result
}

// step answers at least one puzzle. Each try after the first is for the first
// puzzle alone.
func (b *background) step() error {
	for _, try := range []func() error{b.slice, b.alone, b.outlast} {
		before := len(b.todo)
		if err := try(); err != nil || len(b.todo) < before {
			return err
		}
	}
	b.todo = b.todo[1:]
	return nil
}

func (b *background) slice() error { return b.inSlot(slicePuzzles, sliceLimit) }
func (b *background) alone() error { return b.inSlot(1, aloneLimit) }

// inSlot has a worker do an attempt.
func (b *background) inSlot(most int, d time.Duration) (err error) {
	if e := b.pool.slices.run(b.ctx, func() { err = b.attempt(most, d) }); e != nil {
		return e
	}
	return err
}

// outlast searches beside the workers, up to the limit of a puzzle.
func (b *background) outlast() error {
	select {
	case b.long <- struct{}{}:
	case <-b.ctx.Done():
		return b.ctx.Err()
	}
	defer func() { <-b.long }()
	return b.attempt(1, b.options.Timeout)
}

// attempt solves the first puzzles without an answer, at most most, within d. A
// panic is an error.
func (b *background) attempt(most int, d time.Duration) (err error) {
	defer func() {
		if p := recover(); p != nil {
			b.panics.Add(1)
			b.log.Error("panic in a background search", "panic", p, "stack", string(debug.Stack()))
			err = failed(wire.CodeInternal, "the worker failed, its log says how").failure
		}
	}()
	slice := b.todo[:min(most, len(b.todo))]
	b.grids = b.grids[:0]
	for _, i := range slice {
		b.grids = append(b.grids, b.src[i])
	}
	b.results = append(b.results[:0], make([]solver.Result, len(slice))...)
	b.limit.start(d)
	b.solve(b.limit, b.results, b.grids)
	b.limit.stop()
	if err := b.ctx.Err(); err != nil {
		return err
	}
	b.keep(slice)
	return nil
}

// keep takes over the answers to slice, the beginning of todo, and moves what is
// left of it to the end of that part.
func (b *background) keep(slice []int) {
	left := len(slice)
	for i := len(slice) - 1; i >= 0; i-- {
		b.dst[slice[i]] = b.results[i]
		if b.results[i].Status == solver.Timeout {
			left--
			slice[left] = slice[i]
		}
	}
	b.todo = b.todo[left:]
}
