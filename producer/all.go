package main

import (
	"cmp"
	"context"
	"fmt"

	"sudoku/producer/client"
	"sudoku/producer/format"
	"sudoku/solver"
	"sudoku/solver/wire"
)

type allCommand struct {
	inputFlags
	outputFlags
	talkFlags
	queueFlags
	Limit int `default:"1000" help:"Solutions of a puzzle to print, 1 to 1000000."`
}

// Validate is called by kong.
func (c *allCommand) Validate() error {
	return cmp.Or(c.queueFlags.check(), within("limit", c.Limit, 1, wire.MaxAllLimit))
}

func (c *allCommand) Run(p *program) error {
	sources, err := p.sources(c.Puzzles)
	if err != nil {
		return err
	}
	return p.printing(c.outputFlags, c.talkFlags, false, func(pr *printer) error {
		return p.asking(c.NATS, c.options(), func(cl *client.Client) error {
			return p.each(sources, c.format(), pr, func(ctx context.Context, puzzle *format.Puzzle) error {
				e := enumeration{printer: pr, puzzle: puzzle, limit: c.Limit}
				return e.run(ctx, cl)
			})
		})
	}, "none", "invalid")
}

// An enumeration prints the solutions of a puzzle.
type enumeration struct {
	printer *printer
	puzzle  *format.Puzzle
	limit   int
	n       int         // solutions found
	first   solver.Grid // printed when it is known whether it is the only one
}

// run asks for one solution more than it prints, to know whether there is one.
func (e *enumeration) run(ctx context.Context, c *client.Client) error {
	var failure error
	for s, err := range c.All(ctx, e.puzzle.Grid, min(e.limit+1, wire.MaxAllLimit)) {
		if failure = err; err == nil {
			e.add(s)
		}
		if err := e.printer.failed(); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	if err := fatal(failure); err != nil {
		return err
	}
	e.finish(failure)
	return nil
}

func (e *enumeration) add(s solver.Grid) {
	e.n++
	if e.n == 1 {
		e.first = s
		return
	}
	if e.n == 2 {
		e.write(e.first, solver.Multiple.String())
	}
	if e.n <= e.limit {
		e.write(s, solver.Multiple.String())
	}
}

func (e *enumeration) write(s solver.Grid, status string) {
	e.printer.write(e.puzzle, format.Answer{Status: status, Solution: s})
}

// finish is called after the last solution. failure is why it may not be the
// last there is.
func (e *enumeration) finish(failure error) {
	switch {
	case e.n == 0:
		e.printer.print(e.puzzle, format.Answer{}, cmp.Or(failure, solver.ErrNone))
	case e.n == 1:
		e.printer.print(e.puzzle, format.Answer{Status: solver.Unique.String(), Solution: e.first}, failure)
	case failure != nil:
		e.printer.report(e.puzzle, failure)
		e.printer.count(classify(failure), failure)
	default:
		e.printer.count(solver.Multiple.String(), nil)
	}
	if e.n > e.limit || e.n == wire.MaxAllLimit {
		e.printer.report(e.puzzle, fmt.Errorf("stopped after %d solutions, there may be more", e.limit))
	}
}
