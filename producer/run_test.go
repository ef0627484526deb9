package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/iotest"

	"go.uber.org/goleak"

	"sudoku/solver"
)

const (
	puzzle   = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
	solution = "483921657967345821251876493548132976729564138136798245372689514814253769695417382"
)

// A puzzle is answered as soon as it is there, though more may come. A signal
// ends the program while it waits for more.
func TestInterrupted(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		c := exec.Command("producer", "--quiet")
		stdin, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		stdout, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		var stderr strings.Builder
		c.Stderr = &stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		answers := bufio.NewScanner(stdout)
		for range 2 {
			fmt.Fprintln(stdin, puzzle)
			if !answers.Scan() || answers.Text() != solution {
				t.Errorf("answer = %q, want %q", answers.Text(), solution)
			}
		}
		c.Process.Signal(signal)
		if answers.Scan() {
			t.Errorf("after %v: answer %q, want none", signal, answers.Text())
		}
		c.Wait()
		if got := c.ProcessState.ExitCode(); got != 130 {
			t.Errorf("after %v: exit status %d, want 130", signal, got)
		}
		if got := stderr.String(); got != "producer: interrupted\n" {
			t.Errorf("after %v: stderr %q, want that it was interrupted", signal, got)
		}
	}
}

// The program takes no more of the input than its window and its buffers hold,
// however slow the reader of its answers is.
func TestBoundedMemory(t *testing.T) {
	defer goleak.VerifyNone(t)
	const n, most = 20_000, 7_000
	for _, line := range []string{puzzle, puzzle[1:]} {
		for _, order := range []string{"--unordered=false", "--unordered"} {
			taken, answered := new(atomic.Int64), new(atomic.Int64)
			in := &countingReader{line: line + "\n", left: n, taken: taken}
			pr, pw := io.Pipe()
			done := make(chan error)
			go func() {
				err := run(t.Context(), []string{"--window=2", "--batch=16", "--json", order}, in, pw, io.Discard)
				pw.CloseWithError(err)
				done <- err
			}()
			answers := bufio.NewScanner(pr)
			for answers.Scan() {
				answered.Add(1)
				runtime.Gosched()
				if ahead := taken.Load() - answered.Load(); ahead > most {
					t.Fatalf("%s %s: %d puzzles taken and not answered, want %d at most", order, line, ahead, most)
				}
			}
			if got := answered.Load(); got != n {
				t.Errorf("%s %s: %d answers, want %d", order, line, got, n)
			}
			if err := <-done; err != nil && !errors.Is(err, errPuzzles) {
				t.Errorf("%s %s: %v", order, line, err)
			}
		}
	}
}

// countingReader reads as a line again and again.
type countingReader struct {
	line  string
	left  int // lines to come
	at    int // place in the line
	taken *atomic.Int64
}

func (r *countingReader) Read(b []byte) (n int, err error) {
	for n < len(b) && r.left > 0 {
		k := copy(b[n:], r.line[r.at:])
		n += k
		if r.at += k; r.at == len(r.line) {
			r.at = 0
			r.left--
			r.taken.Add(1)
		}
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// An input that cannot be read to its end is answered up to there.
func TestUnreadable(t *testing.T) {
	defer goleak.VerifyNone(t)
	broken := errors.New("broken")
	in := io.MultiReader(strings.NewReader(puzzle+"\n"), iotest.ErrReader(broken))
	var out strings.Builder
	err := run(t.Context(), nil, in, &out, io.Discard)
	if !errors.Is(err, broken) || status(err) != 3 {
		t.Errorf("run = %v with status %d, want %v with status 3", err, status(err), broken)
	}
	if got := out.String(); got != solution+"\n" {
		t.Errorf("output %q, want the answer to what was read", got)
	}
}

// A write that fails ends the program at once.
func TestUnwritable(t *testing.T) {
	defer goleak.VerifyNone(t)
	in := &countingReader{line: puzzle + "\n", left: 1 << 40, taken: new(atomic.Int64)}
	err := run(t.Context(), nil, in, fullDisk{}, io.Discard)
	if !errors.Is(err, syscall.ENOSPC) || status(err) != 3 {
		t.Errorf("run = %v with status %d, want %v with status 3", err, status(err), syscall.ENOSPC)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// The puzzles of bench have one solution each and differ.
func TestBenchPuzzles(t *testing.T) {
	seen := map[solver.Grid]bool{}
	for _, g := range benchPuzzles(1000) {
		r, err := solver.Solve(context.Background(), g)
		if r.Status != solver.Unique || err != nil || seen[g] {
			t.Errorf("puzzle %s: %v, %v, seen before: %t", g, r.Status, err, seen[g])
		}
		seen[g] = true
	}
}
