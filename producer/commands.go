package main

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"time"

	"sudoku/producer/client"
	"sudoku/producer/format"
	"sudoku/solver"
	"sudoku/solver/wire"
)

type solveCommand struct {
	manyFlags
	Verdict bool `group:"Output" help:"Add unique or multiple to a solution in the form line."`
	Durable bool `group:"Queue" help:"Ask with a durable job: what is submitted when the program ends is solved all the same, and results prints it."`
}

// Validate is called by kong.
func (c *solveCommand) Validate() error {
	if c.Durable && (c.Unordered || c.Rate != rate{}) {
		return errors.New("--durable does not go with --unordered and --rate")
	}
	return c.manyFlags.Validate()
}

func (c *solveCommand) Run(p *program) error {
	if c.Durable {
		return c.durable(p)
	}
	ask := func(ctx context.Context, cl *client.Client, gs iter.Seq[solver.Grid]) iter.Seq2[client.Answer[solver.Result], error] {
		return cl.SolveAll(ctx, gs)
	}
	return stream(p, c.manyFlags, c.Verdict, ask, func(r solver.Result) format.Answer {
		return format.Answer{Status: r.Status.String(), Solution: r.Solution}
	})
}

type countCommand struct {
	manyFlags
	Limit int `default:"1000000" help:"Stop counting at this number, 1 to 1000000000, which is then printed after >=."`
}

// Validate is called by kong.
func (c *countCommand) Validate() error {
	return cmp.Or(c.manyFlags.Validate(), within("limit", c.Limit, 1, wire.MaxCountLimit))
}

func (c *countCommand) Run(p *program) error {
	ask := func(ctx context.Context, cl *client.Client, gs iter.Seq[solver.Grid]) iter.Seq2[client.Answer[wire.Count], error] {
		return cl.CountAll(ctx, gs, c.Limit)
	}
	return stream(p, c.manyFlags, false, ask, func(n wire.Count) format.Answer {
		return format.Answer{Status: n.Status.String(), Count: n.N, Exact: n.Exact}
	})
}

type checkCommand struct {
	inputFlags
	outputFlags
	talkFlags
	Timeout time.Duration `default:"1m" help:"How long to search for each puzzle."`
}

func (c *checkCommand) Run(p *program) error {
	return p.here(c.inputFlags, c.outputFlags, c.talkFlags, func(ctx context.Context, pr *printer, puzzle *format.Puzzle) {
		limited, cancel := context.WithTimeout(ctx, c.Timeout)
		defer cancel()
		r, err := solver.Solve(limited, puzzle.Grid)
		if ctx.Err() == nil {
			pr.print(puzzle, format.Answer{Status: r.Status.String()}, err)
		}
	}, "none", "invalid", "multiple")
}

type fmtCommand struct {
	inputFlags
	outputFlags
}

func (c *fmtCommand) Run(p *program) error {
	return p.here(c.inputFlags, c.outputFlags, talkFlags{Quiet: true}, func(_ context.Context, pr *printer, puzzle *format.Puzzle) {
		pr.print(puzzle, format.Answer{}, nil)
	}, "invalid")
}

// here calls f with each puzzle that is not bad, without workers.
func (p *program) here(in inputFlags, out outputFlags, talk talkFlags, f func(context.Context, *printer, *format.Puzzle), bad ...string) error {
	sources, err := p.sources(in.Puzzles)
	if err != nil {
		return err
	}
	return p.printing(out, talk, false, func(pr *printer) error {
		return p.each(sources, in.format(), pr, func(ctx context.Context, puzzle *format.Puzzle) error {
			f(ctx, pr, puzzle)
			return nil
		})
	}, bad...)
}

// each calls f with each puzzle that is not bad, and prints the others.
func (p *program) each(sources []source, f format.Format, pr *printer, do func(context.Context, *format.Puzzle) error) error {
	ctx, cancel := context.WithCancel(p.ctx)
	defer cancel()
	for puzzle, err := range puzzles(ctx, read(ctx, sources, f)) {
		switch {
		case err != nil:
			return err
		case puzzle.Err != nil:
			pr.print(puzzle, format.Answer{}, nil)
		default:
			err = do(ctx, puzzle)
		}
		if err = cmp.Or(err, pr.failed()); err != nil {
			return err
		}
	}
	return nil
}
