package main

import (
	"fmt"
	"sync"
	"time"
)

// The first words of a long run come after firstWords; from then on a terminal
// is told all the time, and a file now and then.
const (
	firstWords   = 50 * time.Millisecond
	terminalRate = 100 * time.Millisecond
	fileRate     = time.Second
)

// A progress tells people how far the program is.
type progress struct {
	total   func() (n int, words string) // puzzles so far
	console *console
	start   time.Time
	stop    chan struct{}
	stopped sync.WaitGroup
	flags   talkFlags
}

// progress tells people what total returns, until finish is called.
func (p *program) progress(f talkFlags, total func() (n int, words string)) *progress {
	g := &progress{total: total, console: p.console, start: time.Now(), stop: make(chan struct{}), flags: f}
	if !f.Quiet && (f.Progress || p.console.terminal) {
		g.stopped.Go(g.tell)
	}
	return g
}

func (g *progress) tell() {
	timer := time.NewTimer(firstWords)
	defer timer.Stop()
	for {
		select {
		case <-g.stop:
			return
		case <-timer.C:
		}
		if g.console.terminal {
			g.console.show(g.line())
			timer.Reset(terminalRate)
		} else {
			fmt.Fprintln(g.console, g.line())
			timer.Reset(fileRate)
		}
	}
}

// line says how many puzzles are done, and how fast.
func (g *progress) line() string {
	n, words := g.total()
	d := time.Since(g.start)
	return fmt.Sprintf("%d puzzles%s; %.1f s, %.0f/s", n, words, d.Seconds(), float64(n)/d.Seconds())
}

// finish ends the progress and sums up, unless there is one puzzle only, whose
// answer says it all.
func (g *progress) finish() {
	close(g.stop)
	g.stopped.Wait()
	g.console.clear()
	if n, _ := g.total(); n > 1 && !g.flags.Quiet {
		fmt.Fprintln(g.console, g.line())
	}
}
