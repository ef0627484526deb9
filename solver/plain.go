package solver

import "context"

// plain is Sudoku by backtracking, as simple as it can be: take the empty cells
// in row-major order, try the digits 1 to 9 in each, and go back when none
// fits. It meets the solutions in lexicographic order for just that reason, and
// calls found with each until found returns false. It returns false only if ctx
// ended first. The tests measure the fast engines against it.
func plain(ctx context.Context, g Grid, found func(Grid) bool) (done bool) {
	p := plainSearch{ctx: ctx, grid: g, found: found}
	p.from(0)
	return !p.interrupted
}

type plainSearch struct {
	ctx         context.Context
	grid        Grid
	found       func(Grid) bool
	steps       int
	interrupted bool
}

// from fills the cells from cell on, and reports whether to go on searching.
func (p *plainSearch) from(cell int) bool {
	for cell < 81 && p.grid[cell] != 0 {
		cell++
	}
	if cell == 81 {
		return p.found(p.grid)
	}
	if p.steps++; p.steps%1024 == 0 && p.ctx.Err() != nil {
		p.interrupted = true
		return false
	}
	for d := uint8(1); d <= 9; d++ {
		if p.fits(cell, d) {
			p.grid[cell] = d
			if !p.from(cell + 1) {
				return false
			}
		}
	}
	p.grid[cell] = 0
	return true
}

// fits reports whether none of the 20 peers of cell holds d.
func (p *plainSearch) fits(cell int, d uint8) bool {
	r, c := row(cell), column(cell)
	for k := range 9 {
		if p.grid[9*r+k] == d || p.grid[9*k+c] == d || p.grid[9*(r/3*3+k/3)+c/3*3+k%3] == d {
			return false
		}
	}
	return true
}

// plainSolve is [Solve] by plain backtracking.
func plainSolve(ctx context.Context, g Grid) (r Result) {
	if g.Check() != nil {
		return Result{Status: Invalid}
	}
	n := 0
	done := plain(ctx, g, func(s Grid) bool {
		if n++; n == 1 {
			r.Solution = s
		}
		return n < 2
	})
	if !done {
		return Result{}
	}
	r.Status = [...]Status{None, Unique, Multiple}[n]
	return r
}
