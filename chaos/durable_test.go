package chaos

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"sudoku/solver"
	"sudoku/solver/wire"
)

// A job comes through whole while workers are killed, the server is restarted,
// and the submitter and the reader of the results are killed and start again.
func TestJob(t *testing.T) {
	eachRound(t, func(t *testing.T, seed uint64) {
		j := &job{t: t, servers: []*server{newServer(t)}}
		restart := accident{"server restarted", func() { j.servers[0].restart(ending(j.r)) }}
		j.survive(seed, restart, restart)
	})
}

// A job on a cluster comes through whole while that loses a node.
func TestJobOnACluster(t *testing.T) {
	eachRound(t, func(t *testing.T, seed uint64) {
		j := &job{t: t, servers: newCluster(t, 3)}
		for _, s := range j.servers {
			s.await("metadata leader:", "is new JetStream cluster metadata leader")
		}
		var down *server
		j.survive(seed,
			accident{"node killed", func() {
				down = j.servers[j.r.IntN(len(j.servers))]
				down.kill()
			}},
			accident{"node brought back", func() { down.start() }})
	})
}

// id is that of the only job.
const id = "proof"

// A job is a round of programs that work on a job: a submitter, two workers, and
// a reader of the results.
type job struct {
	t       *testing.T
	r       *rand.Rand
	servers []*server
	dir     string
	input   []byte
	want    []byte // what producer solve prints for the input
	n       int    // puzzles

	workers   [2]*process
	submitter *submitter
	reader    *reader
	read      int // answers
	faults    int
}

// An accident is a fault that happens to a job.
type accident struct {
	name string
	do   func()
}

// survive has the job done with the accidents that every job has, and those of
// the servers, which come in their order.
func (j *job) survive(seed uint64, ofServers ...accident) {
	j.r = source(seed, "accidents")
	j.dir = j.t.TempDir()
	j.prepare(newExam(seed, number(durablePuzzles)))
	j.setUp()
	for i := range j.workers {
		j.startWorker(i)
	}
	j.begin()

	plan := j.plan(ofServers)
	got := bytes.NewBuffer(make([]byte, 0, len(j.want)))
	for j.read < j.n {
		line, ok := j.reader.next()
		if !ok {
			j.t.Fatalf("the results end after %d of %d; %v; %v", j.read, j.n, j.reader, j.submitter)
		}
		got.Write(line)
		j.read++
		j.submitter.allow(j.read + j.ahead())
		for _, a := range plan[j.read] {
			j.t.Logf("after %d answers: %s", j.read, a.name)
			a.do()
			j.faults++
		}
	}
	j.finish()
	j.compare("the results", got.Bytes())
	j.compare("the results, read once more", j.producer("results", id))
	j.t.Logf("%d puzzles, %d faults, and the output is that of producer solve: 0 lost, 0 doubled, 0 wrong", j.n, j.faults)
}

// setUp makes the streams. A cluster may have a leader before that one has heard
// of the others.
func (j *job) setUp() {
	for end := time.Now().Add(patience); ; {
		_, err := output(j.command("producer", "setup", "--replicas", strconv.Itoa(len(j.servers)), "--ack-wait", "5s",
			"--jobs-bytes", strconv.Itoa(j.ahead()*bytesPerPuzzle/2)))
		if err == nil {
			return
		}
		if !strings.Contains(err.Error(), "no suitable peers") || time.Now().After(end) {
			j.t.Fatal(err)
		}
	}
}

// prepare writes the input, has it solved in the plain way, and looks whether
// the answers are right.
func (j *job) prepare(e exam) {
	j.n = e.n
	var input, want bytes.Buffer
	for k := range e.all {
		if j.r.IntN(100) == 0 { // a line that is no puzzle
			fmt.Fprintln(&input, k.puzzle.String()[1:])
			fmt.Fprintln(&want, solver.Invalid)
			continue
		}
		fmt.Fprintln(&input, k.puzzle)
		if k.solution == (solver.Grid{}) {
			fmt.Fprintln(&want, k.status)
		} else {
			fmt.Fprintln(&want, k.solution)
		}
	}
	file := filepath.Join(j.dir, "input")
	if err := os.WriteFile(file, input.Bytes(), 0o600); err != nil {
		j.t.Fatal(err)
	}
	j.input, j.want = input.Bytes(), want.Bytes()
	solved, err := output(program(j.t, "producer", "solve", "--quiet", file))
	if err != nil {
		j.t.Fatal(err)
	}
	j.compare("producer solve", solved)
}

// ahead is how many puzzles may be submitted that are not read yet.
func (j *job) ahead() int { return max(j.n/5, 2000) }

// bytesPerPuzzle is what a puzzle takes in a stream. The stream of the job has
// room for half of what the submitter may send, so it is full now and then.
const bytesPerPuzzle = 83

// output runs a command, and returns what it prints on standard output. Puzzles
// without a solution are no error.
func output(c *exec.Cmd) ([]byte, error) {
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil && c.ProcessState.ExitCode() != 1 {
		return nil, fmt.Errorf("%v: %w: %s", c.Args, err, stderr.Bytes())
	}
	return stdout.Bytes(), nil
}

// command returns one that reaches the servers.
func (j *job) command(name string, args ...string) *exec.Cmd {
	c := program(j.t, name, args...)
	c.Env = append(os.Environ(), "SUDOKU_NATS_URL="+urls(j.servers))
	return c
}

func (j *job) producer(args ...string) []byte {
	j.t.Helper()
	out, err := output(j.command("producer", args...))
	if err != nil {
		j.t.Fatal(err)
	}
	return out
}

func (j *job) startWorker(i int) { j.workers[i] = start(j.t, j.command("worker")) }

// begin starts the submitter, and when there are results, the reader.
func (j *job) begin() {
	nc, err := nats.Connect(urls(j.servers))
	if err != nil {
		j.t.Fatal(err)
	}
	defer nc.Close()
	results, err := nc.SubscribeSync(wire.ResultSubject(id))
	if err == nil {
		err = nc.Flush()
	}
	if err != nil {
		j.t.Fatal(err)
	}
	j.startSubmitter()
	if _, err := results.NextMsg(patience); err != nil {
		j.t.Fatalf("waiting for the first result: %v", err)
	}
	j.startReader()
}

// plan says which accidents happen after which answer, somewhere in the middle.
func (j *job) plan(ofServers []accident) map[int][]accident {
	all := []accident{
		{"worker killed", j.killWorker}, {"worker killed", j.killWorker}, {"worker killed", j.killWorker},
		{"submitter killed", j.killSubmitter},
		{"reader killed", j.killReader},
	}
	for range ofServers {
		all = append(all, accident{})
	}
	j.r.Shuffle(len(all), func(a, b int) { all[a], all[b] = all[b], all[a] })
	for i := range all {
		if all[i].do == nil {
			all[i], ofServers = ofServers[0], ofServers[1:]
		}
	}
	at := make([]int, len(all))
	for i := range at {
		at[i] = j.n/20 + j.r.IntN(j.n*13/20)
	}
	slices.Sort(at)
	plan := map[int][]accident{}
	for i, a := range all {
		plan[at[i]] = append(plan[at[i]], a)
	}
	return plan
}

func (j *job) killWorker() {
	i := j.r.IntN(len(j.workers))
	j.workers[i].kill()
	j.startWorker(i)
}

func (j *job) killSubmitter() {
	if !j.submitter.kill() {
		j.t.Fatalf("the submitter has ended after %d answers", j.read)
	}
	j.startSubmitter()
}

func (j *job) killReader() {
	j.reader.kill()
	j.startReader()
}

// finish waits for the programs to end by themselves.
func (j *job) finish() {
	if line, more := j.reader.next(); more {
		j.t.Fatalf("a result too many: %s", line)
	}
	j.reader.wait()
	j.submitter.wait()
	for _, w := range j.workers {
		w.end(syscall.SIGTERM)
	}
	ends := map[string]*process{"the reader": j.reader.process, "the submitter": j.submitter.process, "a worker": j.workers[0], "the other worker": j.workers[1]}
	for who, p := range ends {
		if status := p.command.ProcessState.ExitCode(); status != 0 && (p != j.reader.process || status != 1) {
			j.t.Errorf("%s: %v", who, p)
		}
	}
}

// compare ends the test where a text is not what producer solve prints.
func (j *job) compare(what string, got []byte) {
	j.t.Helper()
	if bytes.Equal(got, j.want) {
		return
	}
	g, w := bytes.Split(got, []byte("\n")), bytes.Split(j.want, []byte("\n"))
	for i := range min(len(g), len(w)) {
		if !bytes.Equal(g[i], w[i]) {
			j.t.Fatalf("%s: line %d is %q, want %q", what, i+1, g[i], w[i])
		}
	}
	j.t.Fatalf("%s: %d lines, want %d", what, len(g)-1, len(w)-1)
}

// A submitter is a producer submit whose input comes as fast as it is allowed to.
type submitter struct {
	*process
	feeding sync.WaitGroup

	mu      sync.Mutex
	more    *sync.Cond // allowed or killed has changed
	allowed int        // puzzles
	killed  bool
}

func (j *job) startSubmitter() {
	s := &submitter{allowed: j.read + j.ahead()}
	s.more = sync.NewCond(&s.mu)
	c := j.command("producer", "submit", "--quiet", "--job", id, "-")
	stdin, err := c.StdinPipe()
	if err != nil {
		j.t.Fatal(err)
	}
	stdout, err := c.StdoutPipe()
	if err != nil {
		j.t.Fatal(err)
	}
	s.process = start(j.t, c)
	s.feeding.Go(func() { s.feed(stdin, j.input) })
	j.t.Cleanup(func() { s.kill() })
	j.submitter = s
	if said, err := bufio.NewReader(stdout).ReadString('\n'); said != id+"\n" { // it says so when it is connected
		j.t.Fatalf("submit prints %q, %v: %v", said, err, s.process)
	}
}

// feed writes the input until the submitter is killed.
func (s *submitter) feed(stdin io.WriteCloser, input []byte) {
	defer stdin.Close()
	for sent := 0; len(input) > 0 && s.may(sent); sent++ {
		end := bytes.IndexByte(input, '\n') + 1
		if _, err := stdin.Write(input[:end]); err != nil {
			return // killed
		}
		input = input[end:]
	}
}

// may returns when a puzzle may be sent after n others, or with false when there
// is nobody to send it to.
func (s *submitter) may(n int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for n >= s.allowed && !s.killed {
		s.more.Wait()
	}
	return !s.killed
}

// allow says how many puzzles may be sent, from the first of all.
func (s *submitter) allow(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.allowed = n
	s.more.Signal()
}

// kill reports whether the submitter was still there.
func (s *submitter) kill() (alive bool) {
	s.process.kill()
	s.mu.Lock()
	s.killed = true
	s.more.Signal()
	s.mu.Unlock()
	s.feeding.Wait()
	return s.command.ProcessState.ExitCode() == -1
}

func (s *submitter) wait() {
	s.feeding.Wait()
	s.process.wait()
}

// A reader is a producer results.
type reader struct {
	*process
	lines *bufio.Reader
}

// startReader starts one that goes on after what is read.
func (j *job) startReader() {
	c := j.command("producer", "results", "--quiet", "--follow", "--from", strconv.Itoa(j.read+1), id)
	stdout, err := c.StdoutPipe()
	if err != nil {
		j.t.Fatal(err)
	}
	j.reader = &reader{lines: bufio.NewReader(stdout)}
	j.reader.process = start(j.t, c)
}

// next returns the next line, or false where there is none that is whole.
func (r *reader) next() (line []byte, ok bool) {
	defer time.AfterFunc(patience, func() { r.command.Process.Kill() }).Stop()
	line, err := r.lines.ReadSlice('\n')
	return line, err == nil
}
