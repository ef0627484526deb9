package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"golang.org/x/term"

	"sudoku/producer/client/jobs"
)

type topCommand struct {
	NATS     string        `group:"Queue" name:"nats" placeholder:"URL" help:"NATS server, instead of SUDOKU_NATS_URL."`
	Interval time.Duration `default:"1s" help:"Time between two looks, which the rates are of: 100ms to 1h."`
	Once     bool          `help:"Print one report, and end."`
	JSON     bool          `help:"Print an object of JSON a line."`
}

// Validate is called by kong.
func (c *topCommand) Validate() error {
	if c.Interval < 100*time.Millisecond || c.Interval > time.Hour {
		return fmt.Errorf("--interval=%v is not from 100ms to 1h", c.Interval)
	}
	return nil
}

func (c *topCommand) Run(p *program) error {
	log := p.logger()
	n, err := p.nats(c.NATS, log)
	if err != nil {
		return err
	}
	if n.URL == "" {
		return fmt.Errorf("top needs a NATS server: %w", errUsage)
	}
	q, err := p.remote(n, log)
	if err != nil {
		return err
	}
	nc, err := q.connect()
	if err != nil {
		return err
	}
	defer nc.Close()
	jobs, err := jobs.New(nc, jobs.Options{Logger: log})
	if err != nil {
		return err
	}
	err = c.watch(p.ctx, watcher{nc, jobs, log}, c.printer(p.stdout))
	if c.live(p.stdout) {
		fmt.Fprintln(p.stdout) // leaves the last report where it is
	}
	return err
}

// live reports whether a report takes the place of the one before.
func (c *topCommand) live(out io.Writer) bool { return !c.Once && !c.JSON && isTerminal(out) }

// watch reports on each interval until ctx ends. A look that fails ends it too,
// unless there have been others: what is gone may come back.
func (c *topCommand) watch(ctx context.Context, w watcher, print func(topReport) error) error {
	before, err := w.look(ctx)
	if err != nil {
		return err
	}
	tick := time.NewTicker(c.Interval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
		now, err := w.look(ctx)
		switch {
		case err == nil:
			err = print(now.since(before))
			before = now
		case ctx.Err() == nil && !c.Once:
			w.log.Warn("looking failed, it is tried again", "error", err)
			continue
		}
		if err != nil || c.Once {
			return err
		}
	}
}

// printer returns what prints a report: as an object of JSON, or as text, which on
// a terminal takes the place of the one before.
func (c *topCommand) printer(out io.Writer) func(topReport) error {
	return func(r topReport) error {
		if c.JSON {
			return writeJSON(out, r)
		}
		text := r.text()
		if c.live(out) {
			width, height, err := term.GetSize(int(out.(*os.File).Fd()))
			if err != nil {
				return fmt.Errorf("asking for the size of the terminal: %w", err)
			}
			text = clearScreen + crop(text, width, height)
		}
		_, err := io.WriteString(out, text)
		return err
	}
}

// clearScreen moves the cursor to the first place and clears from there to the
// end.
const clearScreen = "\x1b[H\x1b[J"

// crop returns what of text fits, without the last end of line.
func crop(text string, width, height int) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	lines = lines[:min(len(lines), height)]
	for i, line := range lines {
		if r := []rune(line); len(r) > width {
			lines[i] = string(r[:width])
		}
	}
	return strings.Join(lines, "\n")
}

// text returns the report for people.
func (r topReport) text() string {
	var b bytes.Buffer
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(&b, "%s, the last %.1f s\n\n", r.Time.Local().Format(time.DateTime), r.Seconds)
	fmt.Fprint(t, "WORKER\tVERSION\tUP\tSLOTS\tBACKLOG\tROUND TRIP\tREQUESTS/s\tERRORS/s\tBUSY/s\tMEAN\tDROPPED\n")
	for _, w := range r.Workers {
		fmt.Fprintf(t, "%s\t%s\t%v\t%s\t%d\t%s\t%s\n", w.ID[:min(len(w.ID), 8)], w.Version, r.Time.Sub(w.Started).Round(time.Second), w.Concurrency, w.Backlog, µs(w.RoundTrip), w.flow)
	}
	t.Flush()
	if len(r.Workers) == 0 {
		fmt.Fprintln(&b, "no workers")
	}
	fmt.Fprint(t, "\nENDPOINT\tREQUESTS/s\tERRORS/s\tBUSY/s\tMEAN\tDROPPED\n")
	for _, e := range r.Endpoints {
		fmt.Fprintf(t, "%s\t%s\n", e.Name, e.flow)
	}
	t.Flush()
	if d := r.Durable; d != nil {
		fmt.Fprintf(&b, "\nDURABLE  %d chunks waiting, %d in hand, %d of them redelivered; %.0f results/s; %d dead letters\n",
			d.Waiting, d.InHand, d.Redelivered, d.Rate, d.Dead)
	}
	if len(r.Jobs) > 0 {
		fmt.Fprint(t, "\nJOB\tSTATE\tDONE\tPENDING\tFAILED\tCHUNKS/s\n")
	}
	for _, j := range r.Jobs {
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%.0f\n", j.Job, j.State, j.Done, j.Pending, j.Failed, j.Rate)
	}
	t.Flush()
	return b.String()
}

// String returns the columns of f.
func (f flow) String() string {
	return fmt.Sprintf("%.0f\t%.0f\t%.0f\t%s\t%d", f.RequestRate, f.ErrorRate, f.BusyRate, µs(f.Mean), f.Dropped)
}

// µs returns a time in microseconds as text.
func µs(n float64) string {
	return (time.Duration(n) * time.Microsecond).String()
}
