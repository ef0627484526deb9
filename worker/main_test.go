package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/rogpeppe/go-internal/testscript"

	"sudoku/solver/wire"
	"sudoku/worker/local/natstest"
)

const (
	puzzle   = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
	solution = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
	empty    = "................................................................................."
)

// patience is how long a test waits for what must come.
const patience = time.Minute

// TestMain makes the program a command that scripts and tests can run.
func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"worker": main}) }

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:  "testdata",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

// exits runs a command that must end with a status: exits 2 worker extra.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var e *exec.ExitError
		if !errors.As(err, &e) {
			ts.Fatalf("%v", err)
		}
		got = e.ExitCode()
	}
	if want := args[0]; strconv.Itoa(got) != want {
		ts.Fatalf("%v exits with %d, want %s", args[1:], got, want)
	}
}

// A process is the program while it runs.
type process struct {
	t       *testing.T
	command *exec.Cmd
	log     chan line
}

// line is one of the log.
type line struct {
	Message  string `json:"msg"`
	Addr     string
	Requests int
	Failed   int
	Missing  string // a grant
}

// startWorker starts the program with entries NAME=value for its environment.
func startWorker(t *testing.T, environ ...string) process {
	t.Helper()
	p := process{t: t, command: exec.Command("worker"), log: make(chan line)}
	p.command.Env = append(os.Environ(), append(environ, "SUDOKU_LOG_FORMAT=json")...)
	stderr, err := p.command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.command.Process.Kill() })
	go p.read(stderr)
	return p
}

// read passes the log on until the program ends it.
func (p process) read(stderr io.Reader) {
	defer close(p.log)
	for s := bufio.NewScanner(stderr); s.Scan(); {
		var l line
		if json.Unmarshal(s.Bytes(), &l) != nil {
			l.Message = s.Text()
		}
		p.log <- l
	}
}

// await reads the log up to a message.
func (p process) await(message string) line {
	p.t.Helper()
	timeout := time.After(patience)
	for {
		select {
		case l, ok := <-p.log:
			if !ok {
				p.t.Fatalf("the program ended before it said %q", message)
			}
			p.t.Logf("log: %+v", l)
			if l.Message == message {
				return l
			}
		case <-timeout:
			p.t.Fatalf("the program did not say %q", message)
		}
	}
}

func (p process) signal(s os.Signal) {
	p.t.Helper()
	if err := p.command.Process.Signal(s); err != nil {
		p.t.Fatal(err)
	}
}

// exits waits for the program to end, with a status.
func (p process) exits(want int) {
	p.t.Helper()
	for l := range p.log {
		p.t.Logf("log: %+v", l)
	}
	p.command.Wait()
	if got := p.command.ProcessState.ExitCode(); got != want {
		p.t.Errorf("the program exits with %d, want %d", got, want)
	}
}

func dial(t *testing.T, url string) *nats.Conn {
	t.Helper()
	nc, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

func checkSolves(t *testing.T, nc *nats.Conn) {
	t.Helper()
	m, err := nc.Request(wire.SubjectSolve, []byte(puzzle), patience)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(m.Data), solution+" unique\n"; got != want {
		t.Errorf("solve %s = %q, want %q", puzzle, got, want)
	}
}

func TestServesUntilSignal(t *testing.T) {
	for _, s := range []os.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			server := natstest.Start(t, "")
			p := startWorker(t, "NATS_URL="+server.URL)
			p.await("ready")
			checkSolves(t, dial(t, server.URL))
			p.signal(s)
			if got := p.await("stopped"); got.Requests != 1 || got.Failed != 0 {
				t.Errorf("stopped with %d requests, %d failed, want 1, 0", got.Requests, got.Failed)
			}
			p.exits(0)
		})
	}
}

func TestOutlivesTheServer(t *testing.T) {
	t.Parallel()
	server := natstest.Reserve(t, "")
	p := startWorker(t, "NATS_URL="+server.URL)
	p.await("not connected, still trying")
	server.Start()
	p.await("ready")
	checkSolves(t, dial(t, server.URL))
	for range 2 {
		server.Stop()
		p.await("disconnected, trying to connect again")
		p.await("not connected, still trying")
		server.Start()
		p.await("connected")
		checkSolves(t, dial(t, server.URL))
	}
	server.Stop()
	p.await("disconnected, trying to connect again")
	p.signal(syscall.SIGTERM)
	p.exits(0) // there is no reply left to send
}

func TestSignalBeforeTheServer(t *testing.T) {
	t.Parallel()
	p := startWorker(t, "NATS_URL="+natstest.Reserve(t, "").URL)
	p.await("not connected, still trying")
	p.signal(syscall.SIGTERM)
	p.exits(0)
}

// search sends a request that takes minutes, and returns where the reply comes.
func search(t *testing.T, nc *nats.Conn) *nats.Subscription {
	t.Helper()
	m := nats.NewMsg(wire.SubjectCount)
	m.Data, m.Reply = []byte(empty), nc.NewInbox()
	m.Header[wire.HeaderLimit] = []string{strconv.Itoa(wire.MaxCountLimit)}
	sub, err := nc.SubscribeSync(m.Reply)
	if err == nil {
		err = nc.PublishMsg(m)
	}
	if err == nil {
		err = nc.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	return sub
}

func TestSecondSignalEndsTheSearches(t *testing.T) {
	t.Parallel()
	server := natstest.Start(t, "")
	p := startWorker(t, "NATS_URL="+server.URL, "SUDOKU_WORKER_TIMEOUT=1h")
	p.await("ready")
	reply := search(t, dial(t, server.URL))
	p.signal(syscall.SIGTERM)
	p.await("stopping")
	p.signal(syscall.SIGTERM)
	m, err := reply.NextMsg(patience)
	if err != nil {
		t.Fatal(err)
	}
	if got, code := string(m.Data), m.Header.Get(wire.HeaderErrorCode); got != "timeout\n" || code != "504" {
		t.Errorf("count cut short = %q with code %q, want timeout with 504", got, code)
	}
	p.exits(0)
}

func TestReplyThatCannotBeSent(t *testing.T) {
	t.Parallel()
	server := natstest.Start(t, "")
	p := startWorker(t, "NATS_URL="+server.URL, "SUDOKU_WORKER_TIMEOUT=1h", "SUDOKU_HTTP_ADDR=127.0.0.1:0")
	addr := p.await("listening").Addr
	p.await("ready")
	search(t, dial(t, server.URL))
	awaitMetric(t, addr, "sudoku_pool_busy_slots", "1")
	server.Stop()
	p.await("disconnected, trying to connect again")
	p.signal(syscall.SIGTERM)
	p.await("stopping")
	p.signal(syscall.SIGTERM)
	p.exits(3)
}

func TestRefusedConnection(t *testing.T) {
	const config = "authorization { user: u, password: right }"
	t.Run("at the start", func(t *testing.T) {
		t.Parallel()
		server := natstest.Start(t, config)
		p := startWorker(t, "NATS_URL="+server.URL, "NATS_USER=u", "NATS_PASSWORD=wrong")
		p.exits(4)
	})
	t.Run("not with the right password", func(t *testing.T) {
		t.Parallel()
		server := natstest.Start(t, config)
		p := startWorker(t, "NATS_URL="+server.URL, "NATS_USER=u", "NATS_PASSWORD=right")
		p.await("ready")
		p.signal(syscall.SIGTERM)
		p.exits(0)
	})
}

func TestMissingPermission(t *testing.T) {
	t.Parallel()
	server := natstest.Start(t, `authorization { users: [{ user: u, password: p, permissions: { subscribe: "$SRV.>" } }] }`)
	p := startWorker(t, "NATS_URL="+server.URL, "NATS_USER=u", "NATS_PASSWORD=p")
	p.await("the server does not permit it")
	p.signal(syscall.SIGTERM)
	p.exits(0)
}
