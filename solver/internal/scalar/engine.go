package scalar

import (
	"context"
	"sync"

	"sudoku/solver/internal/work"
)

// Grid is a grid in row-major order, 0 where a cell is empty.
type Grid = [81]uint8

// An Engine searches one puzzle at a time, and allocates nothing for it. It is
// not safe for concurrent use. Where a method returns done it says whether the
// search is complete; otherwise the context ended first. Clues that break the rules
// have no solution.
type Engine struct{ search }

// Work is what all engines have done; those in use up to their last look at the
// context.
var Work work.Counter

var pool = sync.Pool{New: func() any {
	e := new(Engine)
	e.shard = Work.Shard()
	return e
}}

// Get returns an engine whose searches stop soon after ctx is done. Give it
// back with [Engine.Put].
func Get(ctx context.Context) *Engine {
	e := pool.Get().(*Engine)
	e.watch = watch{ctx: ctx, over: ended(ctx), shard: e.shard}
	return e
}

// Put ends the use of e.
func (e *Engine) Put() {
	e.report()
	e.watch = watch{shard: e.shard}
	pool.Put(e)
}

// Solve sets solution to the smallest solution of g, if there is one, and returns
// how many there are: 0, 1, or 2 for more. The fast search goes first, because most
// puzzles have one solution, which is then the smallest.
func (e *Engine) Solve(g, solution *Grid) (n int, done bool) {
	n, done = e.Count(g, 2)
	if n == 2 {
		done = e.all(g, func(*Grid) bool { return false })
	}
	if n > 0 {
		*solution = e.found
	}
	return n, done
}

// Count returns the number of solutions of g up to limit, which is at least 1.
func (e *Engine) Count(g *Grid, limit int) (n int, done bool) {
	e.done.Searches++
	if !e.stack[0].load(g) {
		return 0, true
	}
	n = e.run(0, limit)
	return n, n == limit || !e.over
}

// All calls found with each solution of g, in lexicographic order, until it
// returns false.
func (e *Engine) All(g *Grid, found func(*Grid) bool) (done bool) {
	e.done.Searches++
	return e.all(g, found)
}

func (e *Engine) all(g *Grid, found func(*Grid) bool) (done bool) {
	if !e.stack[0].load(g) {
		return true
	}
	e.ordered(found)
	return !e.over
}
