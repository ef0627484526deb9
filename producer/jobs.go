package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"sudoku/producer/client/jobs"
	"sudoku/solver/wire"
)

// A jobStatus is a [jobs.Status] in JSON.
type jobStatus struct {
	Job         string     `json:"job"`
	State       string     `json:"state"`
	Complete    bool       `json:"complete"`
	Chunks      int        `json:"chunks,omitempty"`
	Puzzles     int        `json:"puzzles,omitempty"`
	Done        int        `json:"done"`
	Pending     int        `json:"pending"`
	Failed      int        `json:"failed"`
	Expired     int        `json:"expired,omitempty"`
	Redelivered int        `json:"redelivered"`
	Started     *time.Time `json:"started,omitempty"`
	Last        *time.Time `json:"last,omitempty"`
	Rate        float64    `json:"puzzles_per_second,omitempty"`
	Left        float64    `json:"left_seconds,omitempty"`
}

func describe(s jobs.Status) jobStatus {
	d := jobStatus{
		Job: s.Job, State: s.State(), Complete: s.Complete, Chunks: s.Chunks, Puzzles: s.Puzzles,
		Done: s.Done, Pending: s.Pending, Failed: s.Failed, Expired: s.Expired, Redelivered: s.Redelivered,
		Rate: s.Rate, Left: s.Left.Seconds(),
	}
	if !s.Started.IsZero() {
		d.Started, d.Last = &s.Started, &s.Last
	}
	return d
}

type statusCommand struct {
	Job string `arg:"" optional:"" help:"The id of a job. Without it, all of them are listed."`
	jobFlags
	JSON bool `help:"Print an object of JSON."`
}

// Validate is called by kong.
func (c *statusCommand) Validate() error {
	if c.Job == "" {
		return nil
	}
	return wire.CheckJob(c.Job)
}

func (c *statusCommand) Run(p *program) error {
	if c.Job == "" {
		return (&jobsCommand{jobFlags: c.jobFlags, JSON: c.JSON}).Run(p)
	}
	return p.durably(c.jobFlags, func(cl *jobs.Client) error {
		s, err := cl.Status(p.ctx, c.Job)
		switch {
		case err != nil:
			return fmt.Errorf("job %s: %w", c.Job, err)
		case c.JSON:
			return writeJSON(p.stdout, describe(s))
		}
		return printStatus(p.stdout, s)
	})
}

func printStatus(out io.Writer, s jobs.Status) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "job\t%s\nstate\t%s\n", s.Job, s.State())
	if s.Complete {
		fmt.Fprintf(t, "puzzles\t%d, in %d chunks\n", s.Puzzles, s.Chunks)
	}
	fmt.Fprintf(t, "chunks\t%d done, %d pending, %d failed\n", s.Done, s.Pending, s.Failed)
	if s.Expired > 0 {
		fmt.Fprintf(t, "expired\t%d chunks, whose answers are not kept any more\n", s.Expired)
	}
	fmt.Fprintf(t, "redelivered\t%d chunks of all jobs\n", s.Redelivered)
	if s.Rate > 0 {
		fmt.Fprintf(t, "rate\t%.0f puzzles/s since %s\n", s.Rate, s.Started.Local().Format(time.DateTime))
	}
	if s.Left > 0 {
		fmt.Fprintf(t, "left\t%v\n", s.Left)
	}
	return t.Flush()
}

func writeJSON(out io.Writer, v any) error { return json.NewEncoder(out).Encode(v) }

type jobsCommand struct {
	jobFlags
	JSON bool `help:"Print an object of JSON a line."`
}

func (c *jobsCommand) Run(p *program) error {
	return p.durably(c.jobFlags, func(cl *jobs.Client) error {
		all, err := cl.Jobs(p.ctx)
		if err != nil {
			return err
		}
		t := newTable(p.stdout, c.JSON, "JOB\tSTATE\tDONE\tPENDING\tFAILED\n")
		for _, s := range all {
			t.row(describe(s), "%s\t%s\t%d\t%d\t%d\n", s.Job, s.State(), s.Done, s.Pending, s.Failed)
		}
		return t.end()
	})
}

// A table prints rows as text or as objects of JSON.
type table struct {
	json *json.Encoder // nil for text
	text *tabwriter.Writer
	err  error
}

func newTable(out io.Writer, asJSON bool, head string) *table {
	if asJSON {
		return &table{json: json.NewEncoder(out)}
	}
	t := &table{text: tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)}
	_, t.err = io.WriteString(t.text, head)
	return t
}

func (t *table) row(object any, form string, values ...any) {
	if t.json != nil {
		t.err = cmp.Or(t.err, t.json.Encode(object))
		return
	}
	_, err := fmt.Fprintf(t.text, form, values...)
	t.err = cmp.Or(t.err, err)
}

func (t *table) end() error {
	if t.text != nil {
		t.err = cmp.Or(t.err, t.text.Flush())
	}
	return t.err
}

type cancelCommand struct {
	Job string `arg:"" help:"The id of the job."`
	jobFlags
}

func (c *cancelCommand) Run(p *program) error {
	return p.durably(c.jobFlags, func(cl *jobs.Client) error {
		if err := cl.Cancel(p.ctx, c.Job); err != nil {
			return fmt.Errorf("job %s: %w", c.Job, err)
		}
		return nil
	})
}

type deadCommand struct {
	Ls    deadLsCommand    `cmd:"" help:"List them."`
	Show  deadShowCommand  `cmd:"" help:"Print the puzzles of one, as they were submitted, and on standard error why it was given up."`
	Retry deadRetryCommand `cmd:"" help:"Give them to the workers again."`
	Rm    deadRmCommand    `cmd:"" help:"Remove them. Their puzzles stay without answers."`
}

// A deadLetter is a [jobs.Letter] in JSON.
type deadLetter struct {
	Sequence   uint64    `json:"letter"`
	Job        string    `json:"job"`
	Chunk      string    `json:"chunk"`
	Puzzles    int       `json:"puzzles"`
	Deliveries int       `json:"deliveries"`
	Time       time.Time `json:"time"`
	Code       int       `json:"code"`
	Reason     string    `json:"reason"`
}

type deadLsCommand struct {
	Job string `arg:"" optional:"" help:"The id of a job. Without it, those of all jobs are listed."`
	jobFlags
	JSON bool `help:"Print an object of JSON a line."`
}

func (c *deadLsCommand) Run(p *program) error {
	return p.durably(c.jobFlags, func(cl *jobs.Client) error {
		t := newTable(p.stdout, c.JSON, "LETTER\tJOB\tCHUNK\tPUZZLES\tDELIVERIES\tREASON\n")
		for l, err := range cl.Dead(p.ctx, c.Job) {
			if err != nil {
				return err
			}
			why := cmp.Or(l.Reason, &wire.Error{})
			t.row(deadLetter{l.Sequence, l.Job, l.Chunk, l.Puzzles, l.Deliveries, l.Time, why.Code, why.Text},
				"%d\t%s\t%s\t%d\t%d\t%v\n", l.Sequence, l.Job, l.Chunk, l.Puzzles, l.Deliveries, why)
		}
		return t.end()
	})
}

type deadShowCommand struct {
	Letter uint64 `arg:"" help:"The number that ls prints first."`
	jobFlags
}

func (c *deadShowCommand) Run(p *program) error {
	return p.durably(c.jobFlags, func(cl *jobs.Client) error {
		l, err := cl.Letter(p.ctx, c.Letter)
		if err != nil {
			return err
		}
		fmt.Fprintf(p.console, "chunk %s of job %s: %v, after %d deliveries\n", l.Chunk, l.Job, l.Reason, l.Deliveries)
		_, err = p.stdout.Write(l.Body)
		return err
	})
}

// lettersFlags name dead letters.
type lettersFlags struct {
	Letters []uint64 `arg:"" help:"The numbers that ls prints first."`
	jobFlags
}

// each calls f with each letter, up to the first error.
func (f lettersFlags) each(p *program, do func(*jobs.Client, uint64) error) error {
	return p.durably(f.jobFlags, func(cl *jobs.Client) error {
		for _, letter := range f.Letters {
			if err := do(cl, letter); err != nil {
				return err
			}
		}
		return nil
	})
}

type deadRetryCommand struct{ lettersFlags }

func (c *deadRetryCommand) Run(p *program) error {
	return c.each(p, func(cl *jobs.Client, letter uint64) error { return cl.Retry(p.ctx, letter) })
}

type deadRmCommand struct{ lettersFlags }

func (c *deadRmCommand) Run(p *program) error {
	return c.each(p, func(cl *jobs.Client, letter uint64) error { return cl.Remove(p.ctx, letter) })
}

type setupCommand struct {
	jobFlags
	DryRun       bool          `help:"Print what would change, and change nothing."`
	Replicas     int           `default:"1" help:"Servers of a cluster that keep a copy, 1 to 5."`
	Memory       bool          `help:"Keep the streams in memory instead of files. This cannot be changed later."`
	JobsBytes    int64         `default:"1073741824" help:"Bytes that may wait for workers; a submitter waits when they are full."`
	ResultsBytes int64         `default:"0" help:"Bytes of results that are kept, the newest ones; 0 means no limit."`
	ResultsAge   time.Duration `default:"168h" help:"How long results are kept."`
	DeadAge      time.Duration `default:"720h" help:"How long dead letters are kept."`
	AckWait      time.Duration `default:"15s" help:"How long a worker may be silent before others get its chunks, 5s or more."`
}

// Validate is called by kong.
func (c *setupCommand) Validate() error {
	if c.AckWait < 5*time.Second {
		return fmt.Errorf("--ack-wait=%v is not 5s or more", c.AckWait)
	}
	return within("replicas", c.Replicas, 1, 5)
}

func (c *setupCommand) Run(p *program) error {
	return p.durably(c.jobFlags, func(cl *jobs.Client) error {
		do := cl.Setup
		if c.DryRun {
			do = cl.Diff
		}
		changes, err := do(p.ctx, jobs.Streams{
			Replicas: c.Replicas, Memory: c.Memory, JobsBytes: c.JobsBytes, ResultsBytes: c.ResultsBytes,
			ResultsAge: c.ResultsAge, DeadAge: c.DeadAge, AckWait: c.AckWait,
		})
		for _, change := range changes {
			fmt.Fprintln(p.stdout, change)
		}
		return err
	})
}
