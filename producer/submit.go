package main

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"sync"
	"sync/atomic"

	"github.com/nats-io/nats.go"

	"sudoku/producer/client/jobs"
	"sudoku/producer/format"
	"sudoku/solver/wire"
)

// jobFlags say where the jobs are.
type jobFlags struct {
	NATS  string `group:"Queue" name:"nats" placeholder:"URL" help:"NATS server, instead of SUDOKU_NATS_URL. Without either, jobs are in files of this machine, and worked on while results --follow or solve --durable runs."`
	Store string `group:"Queue" placeholder:"DIR" help:"Directory of the jobs without a NATS server, instead of SUDOKU_STORE."`
}

// durably calls f with a client for jobs.
func (p *program) durably(flags jobFlags, f func(*jobs.Client) error) error {
	store := flags.Store
	if store == "" {
		var err error
		if store, err = p.config.StoreDir(); err != nil {
			return err
		}
	}
	return p.connected(flags.NATS, store, func(nc *nats.Conn) error {
		c, err := jobs.New(nc, jobs.Options{Logger: p.logger()})
		if err != nil {
			return err
		}
		return f(c)
	})
}

type submitCommand struct {
	inputFlags
	talkFlags
	jobFlags
	Job string `placeholder:"ID" help:"The job: one that was interrupted goes on, with the same input; a new one gets this id instead of one made up."`
}

// Validate is called by kong.
func (c *submitCommand) Validate() error {
	if c.Job == "" {
		return nil
	}
	return wire.CheckJob(c.Job)
}

func (c *submitCommand) Run(p *program) error {
	sources, err := p.sources(c.Puzzles)
	if err != nil {
		return err
	}
	return p.durably(c.jobFlags, func(cl *jobs.Client) error {
		job, submit := c.Job, cl.Resume
		if job == "" {
			job, submit = jobs.NewID(), cl.Submit
		}
		if _, err := fmt.Fprintln(p.stdout, job); err != nil {
			return fmt.Errorf("writing the id: %w", err)
		}
		in := newBatch(p.ctx, sources, c.format())
		defer in.cancel(nil)
		g := p.progress(c.talkFlags, in.total)
		_, err := submit(in.ctx, job, in.puzzles)
		g.finish()
		return err
	})
}

// A batch is the input on its way into a job.
type batch struct {
	ctx    context.Context // ends with the program, and for what cancel was told
	cancel context.CancelCauseFunc
	chunks <-chan chunk
	n      atomic.Int64 // puzzles so far
}

func newBatch(ctx context.Context, sources []source, f format.Format) *batch {
	b := new(batch)
	b.ctx, b.cancel = context.WithCancelCause(ctx)
	b.chunks = read(b.ctx, sources, f)
	return b
}

// puzzles yields the input. Where it cannot be read to its end, the job must not
// be taken for complete, so ctx ends.
func (b *batch) puzzles(yield func(jobs.Puzzle) bool) {
	var w place
	for p, err := range puzzles(b.ctx, b.chunks) {
		if err != nil {
			b.cancel(err)
			return
		}
		i := int(b.n.Add(1) - 1)
		if !yield(w.annotate(i, p)) {
			return
		}
	}
}

func (b *batch) total() (n int, words string) { return int(b.n.Load()), " submitted" }

type resultsCommand struct {
	Job string `arg:"" help:"The id that submit has printed."`
	outputFlags
	talkFlags
	jobFlags
	Verdict bool `group:"Output" help:"Add unique or multiple to a solution in the form line."`
	Follow  bool `short:"f" help:"Wait for what is not solved yet."`
	From    int  `default:"1" help:"Begin with this puzzle of the job, counted from 1."`
}

// Validate is called by kong.
func (c *resultsCommand) Validate() error {
	if c.From < 1 {
		return fmt.Errorf("--from=%d is not 1 or more", c.From)
	}
	return wire.CheckJob(c.Job)
}

func (c *resultsCommand) Run(p *program) error {
	return p.durably(c.jobFlags, func(cl *jobs.Client) error {
		if _, err := cl.Status(p.ctx, c.Job); err != nil { // Follow would wait for a job that does not exist
			return fmt.Errorf("job %s: %w", c.Job, err)
		}
		return p.printing(c.outputFlags, c.talkFlags, c.Verdict, func(pr *printer) error {
			begin := (c.From - 1) / wholeNote * wholeNote
			return printJob(p.ctx, pr, c.Job, c.From-1, cl.Results(p.ctx, c.Job, jobs.Reading{From: begin, Follow: c.Follow}))
		}, "none", "invalid")
	})
}

// printJob prints the answers of a job from puzzle number from on, counted from
// 0. Those before it are read for the places they say.
func printJob(ctx context.Context, pr *printer, job string, from int, answers iter.Seq2[jobs.Answer, error]) error {
	w := place{file: job}
	for a, err := range answers {
		if err != nil {
			return err
		}
		if a.Index%wholeNote == 0 {
			w.line = a.Index
		}
		puzzle, err := w.puzzle(a)
		if a.Index < from {
			continue
		}
		pr.print(puzzle, format.Answer{Status: a.Result.Status.String(), Solution: a.Result.Solution}, err)
		if err := cmp.Or(pr.failed(), ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}

// durable is Run with a job.
func (c *solveCommand) durable(p *program) error {
	sources, err := p.sources(c.Puzzles)
	if err != nil {
		return err
	}
	return p.durably(jobFlags{NATS: c.NATS}, func(cl *jobs.Client) error {
		return p.printing(c.outputFlags, c.talkFlags, c.Verdict, func(pr *printer) error {
			job := jobs.NewID()
			fmt.Fprintln(p.console, "job", job)
			in := newBatch(p.ctx, sources, c.format())
			defer in.cancel(nil)
			var submitting sync.WaitGroup
			submitting.Go(func() {
				if _, err := cl.Submit(in.ctx, job, in.puzzles); err != nil {
					in.cancel(err)
				}
			})
			err := printJob(in.ctx, pr, job, 0, cl.Results(in.ctx, job, jobs.Reading{Follow: true}))
			if err != nil {
				in.cancel(err)
			}
			submitting.Wait()
			return cmp.Or(context.Cause(in.ctx), err)
		}, "none", "invalid")
	})
}
