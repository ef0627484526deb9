package chaos

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience is how long a test waits for what must come.
const patience = time.Minute

// programs is where those of this module and the NATS server are, once built.
var programs string

var build = sync.OnceValue(func() error {
	c := exec.Command("go", "build", "-o", programs, "sudoku/worker", "sudoku/producer", "github.com/nats-io/nats-server/v2")
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	return c.Run()
})

// program returns a command that runs one of the programs.
func program(t testing.TB, name string, args ...string) *exec.Cmd {
	t.Helper()
	if err := build(); err != nil {
		t.Fatalf("building the programs: %v", err)
	}
	return exec.Command(filepath.Join(programs, name), args...)
}

// A process is a program while it runs.
type process struct {
	t       testing.TB
	command *exec.Cmd
	reading sync.WaitGroup

	mu    sync.Mutex
	grown *sync.Cond // log or ended has changed
	log   []string   // lines of standard error
	ended bool       // there will be no more
	late  bool       // await has waited too long
}

// start runs the command, which ends with the test at the latest.
func start(t testing.TB, c *exec.Cmd) *process {
	t.Helper()
	p := &process{t: t, command: c}
	p.grown = sync.NewCond(&p.mu)
	stderr, err := c.StderrPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	p.reading.Go(func() { p.read(stderr) })
	t.Cleanup(p.kill)
	return p
}

func (p *process) read(stderr io.Reader) {
	for s := bufio.NewScanner(stderr); s.Scan(); {
		p.change(func() { p.log = append(p.log, s.Text()) })
	}
	p.change(func() { p.ended = true })
}

func (p *process) change(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
	p.grown.Broadcast()
}

// await returns when the log has a line with one of the texts.
func (p *process) await(texts ...string) {
	p.t.Helper()
	timer := time.AfterFunc(patience, func() { p.change(func() { p.late = true }) })
	defer timer.Stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	expected := func(line string) bool {
		return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(line, text) })
	}
	for !slices.ContainsFunc(p.log, expected) {
		if p.ended || p.late {
			p.t.Fatalf("not said: %q, but: %s", texts, p.said())
		}
		p.grown.Wait()
	}
}

// String returns what the program has said last, and how it ended.
func (p *process) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.said()
}

func (p *process) said() string {
	state := "not ended"
	if p.command.ProcessState != nil {
		state = p.command.ProcessState.String()
	}
	last := p.log[max(0, len(p.log)-20):]
	return fmt.Sprintf("%v: %s: %s", p.command, state, strings.Join(last, "\n"))
}

// kill ends the program without its consent. It may have ended already.
func (p *process) kill() { p.end(syscall.SIGKILL) }

// end sends the signal and returns when the program has ended.
func (p *process) end(s syscall.Signal) {
	_ = p.command.Process.Signal(s) // fails only where it has ended
	p.wait()
}

// wait returns when the program has ended.
func (p *process) wait() {
	p.reading.Wait()
	_ = p.command.Wait() // says how it ended
}
