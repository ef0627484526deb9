package main

import (
	"cmp"
	"errors"
	"fmt"
	"sync"
	"time"

	"sudoku/producer/client"
	"sudoku/producer/format"
	"sudoku/solver"
	"sudoku/solver/wire"
)

// flushAfter is how long an answer may stay in the buffer.
const flushAfter = 10 * time.Millisecond

// A printer prints answers, reports puzzles without one, and counts both. It is
// safe for concurrent use.
type printer struct {
	console *console
	output  *output

	mu     sync.Mutex
	w      *format.Writer
	fresh  bool        // something is in the buffer, and the timer runs
	timer  *time.Timer // flushes
	err    error       // of writing
	counts map[string]int
	busy   error // a failure because the workers were busy
}

// printer returns one that prints what the flags say.
func (p *program) printer(o outputFlags, verdict bool) (*printer, error) {
	out, err := openOutput(o.Output, p.stdout)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", err, errUsage)
	}
	pr := &printer{console: p.console, output: out, w: format.NewWriter(out, o.form(), verdict), counts: map[string]int{}}
	pr.timer = time.AfterFunc(time.Hour, pr.flush)
	return pr, nil
}

// printing calls f with a printer, and returns its error or the verdict on what
// it has printed. The statuses in bad are those that puzzles should not have.
func (p *program) printing(o outputFlags, t talkFlags, verdict bool, f func(*printer) error, bad ...string) error {
	pr, err := p.printer(o, verdict)
	if err != nil {
		return err
	}
	g := p.progress(t, pr.total)
	err = f(pr)
	err = cmp.Or(pr.close(err), err, pr.verdict(bad))
	g.finish()
	return err
}

// print prints the answer a to p, of which the puzzle's own fields are filled in
// here, or why there is none: the puzzle is bad, or err.
func (pr *printer) print(p *format.Puzzle, a format.Answer, err error) {
	err = cmp.Or(p.Err, err)
	if err != nil {
		a.Status = classify(err)
	}
	if err != nil && a.Status != "none" {
		located := pr.report(p, err)
		a.Error = located.Reason
	}
	pr.write(p, a)
	pr.count(a.Status, err)
}

// classify returns the status of a puzzle that has no answer because of err.
func classify(err error) string {
	switch {
	case errors.Is(err, solver.ErrNone):
		return "none"
	case errors.Is(err, solver.ErrInvalid):
		return "invalid"
	case errors.Is(err, solver.ErrTimeout) && !errors.Is(err, client.ErrNoReply):
		return "timeout"
	}
	return "failed"
}

// report tells people what is wrong with a puzzle and where.
func (pr *printer) report(p *format.Puzzle, err error) *format.Error {
	var located *format.Error
	if !errors.As(err, &located) {
		errors.As(p.Locate(err), &located)
	}
	fmt.Fprintln(pr.console, located)
	return located
}

// write prints an answer to p.
func (pr *printer) write(p *format.Puzzle, a format.Answer) {
	a.File, a.Line, a.Puzzle, a.Text = p.File, p.Line, p.Grid, p.Text
	pr.mu.Lock()
	defer pr.mu.Unlock()
	pr.err = cmp.Or(pr.err, pr.w.Write(&a))
	if !pr.fresh {
		pr.fresh = true
		pr.timer.Reset(flushAfter)
	}
}

// count counts a puzzle. err is why it has no answer.
func (pr *printer) count(status string, err error) {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	pr.counts[status]++
	if errors.Is(err, wire.ErrBusy) {
		pr.busy = err
	}
}

func (pr *printer) flush() {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	pr.fresh = false
	pr.err = cmp.Or(pr.err, pr.w.Flush())
}

// failed returns why nothing more can be printed, if so.
func (pr *printer) failed() error {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	if pr.err != nil {
		return fmt.Errorf("writing the answers: %w", pr.err)
	}
	return nil
}

// close prints what is left, and returns why that failed. A run that ended with
// err before it had anything to print leaves the output file as it was.
func (pr *printer) close(err error) error {
	pr.timer.Stop()
	pr.flush()
	if n, _ := pr.total(); n == 0 && err != nil {
		pr.output.discard()
		return nil
	}
	pr.err = pr.output.close(pr.err)
	return pr.failed()
}

// verdict returns the error that says what became of the puzzles.
func (pr *printer) verdict(bad []string) error {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	switch {
	case pr.busy != nil:
		return pr.busy
	case pr.counts["failed"]+pr.counts["timeout"] > 0:
		return errFailed
	}
	for _, status := range bad {
		if pr.counts[status] > 0 {
			return errPuzzles
		}
	}
	return nil
}

// total returns how many puzzles there were, and how many of each status in
// words.
func (pr *printer) total() (n int, words string) {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	for _, status := range []string{"unique", "multiple", "none", "invalid", "timeout", "failed"} {
		if pr.counts[status] > 0 {
			n += pr.counts[status]
			words += fmt.Sprintf(", %d %s", pr.counts[status], status)
		}
	}
	return n, words
}
