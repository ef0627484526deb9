package main

import (
	"cmp"
	"context"
	"iter"

	"sudoku/producer/client"
	"sudoku/producer/format"
	"sudoku/solver"
)

// manyFlags are the flags of a command that asks about many puzzles.
type manyFlags struct {
	inputFlags
	outputFlags
	talkFlags
	queueFlags
	streamFlags
}

// Validate is called by kong.
func (f manyFlags) Validate() error { return cmp.Or(f.queueFlags.check(), f.streamFlags.check()) }

func (f manyFlags) options() client.Options {
	o := f.queueFlags.options()
	o.Batch, o.Window, o.Unordered = f.Batch, f.Window, f.Unordered
	return o
}

// An ask is what a command asks about puzzles: SolveAll or CountAll.
type ask[T any] func(context.Context, *client.Client, iter.Seq[solver.Grid]) iter.Seq2[client.Answer[T], error]

// stream asks about all puzzles of the input and prints the answers as describe
// has them.
func stream[T any](p *program, f manyFlags, verdict bool, ask ask[T], describe func(T) format.Answer) error {
	sources, err := p.sources(f.Puzzles)
	if err != nil {
		return err
	}
	return p.printing(f.outputFlags, f.talkFlags, verdict, func(pr *printer) error {
		return p.asking(f.NATS, f.options(), func(c *client.Client) error {
			ctx, cancel := context.WithCancel(p.ctx)
			defer cancel()
			in := &feed{
				ctx:     ctx,
				chunks:  read(ctx, sources, f.format()),
				pending: newPending(ctx, pr, !f.Unordered),
				pace:    pace{rate: f.Rate},
			}
			var failed error
			for a, err := range ask(ctx, c, in.grids) {
				if failed = cmp.Or(fatal(err), pr.failed()); failed != nil {
					cancel() // in.grids may wait for input
					break
				}
				in.pending.answer(a.Index, describe(a.Result), err)
			}
			return cmp.Or(failed, in.err)
		})
	}, "none", "invalid")
}

// A feed is the input on its way to the workers.
type feed struct {
	ctx     context.Context
	chunks  <-chan chunk
	pending *pending
	pace    pace
	err     error // why the input could not be read to its end
}

// grids yields the puzzles that are not bad, at the pace wanted.
func (f *feed) grids(yield func(solver.Grid) bool) {
	for p, err := range puzzles(f.ctx, f.chunks) {
		if err != nil {
			f.err = err
			return
		}
		f.pending.add(p)
		if p.Err == nil && (!f.pace.wait(f.ctx) || !yield(p.Grid)) {
			return
		}
	}
}
