package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"sudoku/config"
	"sudoku/producer/client/jobs"
	"sudoku/solver"
	"sudoku/solver/wire"
	"sudoku/worker/local/natstest"
)

// nothing has no solution.
const nothing = "532.7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"

// get returns the status and body of a path of p, whose listener is at addr.
func get(t *testing.T, addr, path string) (int, string) {
	t.Helper()
	r, err := http.Get("http://" + addr + path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(body)
}

// wantGet compares the status of a path, and the first line of its body.
func wantGet(t *testing.T, addr, path string, code int, text string) {
	t.Helper()
	gotCode, got := get(t, addr, path)
	got, _, _ = strings.Cut(got, "\n")
	if gotCode != code || got != text {
		t.Errorf("GET %s = %d %q, want %d %q", path, gotCode, got, code, text)
	}
}

// wantMetrics scrapes and compares single series with their values.
func wantMetrics(t *testing.T, addr string, want map[string]string) {
	t.Helper()
	code, text := get(t, addr, "/metrics")
	if code != http.StatusOK {
		t.Fatalf("GET /metrics = %d, want 200", code)
	}
	for series, value := range want {
		m := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(series) + ` (.*)$`).FindStringSubmatch(text)
		if m == nil {
			t.Errorf("no metric %s", series)
		} else if m[1] != value {
			t.Errorf("%s = %s, want %s", series, m[1], value)
		}
	}
}

// request sends one and waits for its reply.
func request(t *testing.T, nc *nats.Conn, subject string, limit int, lines ...string) {
	t.Helper()
	m := &nats.Msg{Subject: subject, Header: wire.Terms{Limit: limit}.Header(), Data: []byte(strings.Join(lines, "\n"))}
	if _, err := nc.RequestMsg(m, patience); err != nil {
		t.Fatal(err)
	}
}

// many puzzles are enough for any engine to search them in its own way.
const many = 50

// TestMetrics has a worker answer known requests, and compares its numbers. The
// last one is answered when all are counted.
func TestMetrics(t *testing.T) {
	t.Parallel()
	server := natstest.Start(t, "")
	p := startWorker(t, "NATS_URL="+server.URL, "SUDOKU_HTTP_ADDR=127.0.0.1:0", "SUDOKU_WORKER_CONCURRENCY=1", "SUDOKU_WORKER_BACKLOG=1000")
	addr := p.await("listening").Addr
	p.await("ready")
	nc := dial(t, server.URL)
	const invalid = "12345"
	request(t, nc, wire.SubjectSolve, 0, puzzle, puzzle, empty, invalid)
	request(t, nc, wire.SubjectSolve, 0, slices.Repeat([]string{empty}, many)...)
	request(t, nc, wire.SubjectSolve, 0, invalid)
	request(t, nc, wire.SubjectSolve, 0)
	request(t, nc, wire.SubjectSolve, 0, strings.Repeat("\n", wire.MaxBytes+1))
	request(t, nc, wire.SubjectCount, 2, puzzle, empty, nothing)
	request(t, nc, wire.SubjectAll, 3, empty)
	if err := nc.Publish(wire.SubjectAll, []byte(puzzle)); err != nil {
		t.Fatal(err)
	}
	request(t, nc, wire.SubjectAll, 3, puzzle, puzzle)
	want := map[string]string{
		`sudoku_requests_total{endpoint="solve",outcome="ok"}`:                "2",
		`sudoku_requests_total{endpoint="solve",outcome="bad_request"}`:       "2",
		`sudoku_requests_total{endpoint="solve",outcome="too_large"}`:         "1",
		`sudoku_requests_total{endpoint="solve",outcome="busy"}`:              "0",
		`sudoku_requests_total{endpoint="count",outcome="ok"}`:                "1",
		`sudoku_requests_total{endpoint="all",outcome="ok"}`:                  "1",
		`sudoku_requests_total{endpoint="all",outcome="bad_request"}`:         "2",
		`sudoku_requests_rejected_total{endpoint="solve",reason="malformed"}`: "1",
		`sudoku_requests_rejected_total{endpoint="solve",reason="oversized"}`: "1",
		`sudoku_requests_rejected_total{endpoint="all",reason="malformed"}`:   "1",
		`sudoku_requests_rejected_total{endpoint="all",reason="no_reply"}`:    "1",
		`sudoku_puzzles_total{endpoint="solve",outcome="unique"}`:             "2",
		`sudoku_puzzles_total{endpoint="solve",outcome="multiple"}`:           strconv.Itoa(1 + many),
		`sudoku_puzzles_total{endpoint="solve",outcome="invalid"}`:            "2",
		`sudoku_puzzles_total{endpoint="solve",outcome="timeout"}`:            "0",
		`sudoku_puzzles_total{endpoint="count",outcome="unique"}`:             "1",
		`sudoku_puzzles_total{endpoint="count",outcome="multiple"}`:           "1",
		`sudoku_puzzles_total{endpoint="count",outcome="none"}`:               "1",
		`sudoku_puzzles_total{endpoint="all",outcome="multiple"}`:             "1",
		`sudoku_request_wait_seconds_count{endpoint="solve"}`:                 "5",
		`sudoku_request_solve_seconds_count{endpoint="solve"}`:                "5",
		`sudoku_request_solve_seconds_bucket{endpoint="solve",le="+Inf"}`:     "5",
		`sudoku_request_solve_seconds_bucket{endpoint="solve",le="10.48576"}`: "5",
		`sudoku_request_solve_seconds_count{endpoint="all"}`:                  "3",
		`sudoku_replies_lost_total{endpoint="solve"}`:                         "0",
		`sudoku_messages_dropped_total{connection="requests"}`:                "0",
		`sudoku_messages_dropped_total{connection="jobs"}`:                    "0",
		`sudoku_pool_slots`:            "1",
		`sudoku_backlog_puzzles`:       "0",
		`sudoku_backlog_limit_puzzles`: "1000",
		`sudoku_engine_info{engine="` + solver.EngineInUse().String() + `"}`: "1",
		`sudoku_panics_total`:                                 "0",
		`sudoku_nats_connected{connection="requests"}`:        "1",
		`sudoku_nats_reconnects_total{connection="requests"}`: "0",
		`sudoku_build_info{go_version="` + runtime.Version() + `",version="` + config.Version() + `"}`: "1",
	}
	addWork(t, want)
	wantMetrics(t, addr, want)
}

// TestMetricsOfJobs has a worker work on a job.
func TestMetricsOfJobs(t *testing.T) {
	t.Parallel()
	server := natstest.Start(t, natstest.JetStream(t))
	nc := dial(t, server.URL)
	c, err := jobs.New(nc, jobs.Options{})
	if err == nil {
		_, err = c.Setup(t.Context(), jobs.Streams{})
	}
	if err == nil {
		_, err = c.Submit(t.Context(), "j", func(yield func(jobs.Puzzle) bool) {
			_ = yield(jobs.Puzzle{Grid: parse(t, puzzle)}) && yield(jobs.Puzzle{})
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	p := startWorker(t, "NATS_URL="+server.URL, "SUDOKU_HTTP_ADDR=127.0.0.1:0", "SUDOKU_WORKER_CONCURRENCY=1")
	addr := p.await("listening").Addr
	awaitMetric(t, addr, `sudoku_job_deliveries_total{outcome="done"}`, "2") // a chunk and the manifest
	wantMetrics(t, addr, map[string]string{
		`sudoku_job_puzzles_total{outcome="unique"}`:   "1",
		`sudoku_job_puzzles_total{outcome="multiple"}`: "1",
		`sudoku_job_deliveries_total{outcome="dead"}`:  "0",
		`sudoku_job_redeliveries_total`:                "0",
		`sudoku_job_wait_seconds_count`:                "1",
		`sudoku_job_chunk_seconds_count`:               "1",
		`sudoku_job_chunk_seconds_bucket{le="+Inf"}`:   "1",
		`sudoku_job_in_hand_limit`:                     "12",
		`sudoku_nats_connected{connection="jobs"}`:     "1",
	})
	p.signal(syscall.SIGTERM)
	p.exits(0)
}

// addWork adds to want what TestMetrics makes the engines do, by doing the same.
func addWork(t *testing.T, want map[string]string) {
	t.Helper()
	engines := []solver.Engine{solver.AVX512, solver.AVX2, solver.Scalar}
	before := map[solver.Engine]solver.Work{}
	for _, e := range engines {
		before[e] = e.Work()
	}
	easy, all, no := parse(t, puzzle), parse(t, empty), parse(t, nothing)
	for _, batch := range [][]solver.Grid{{easy, easy, all}, slices.Repeat([]solver.Grid{all}, many)} {
		solver.SolveBatch(t.Context(), make([]solver.Result, len(batch)), batch)
	}
	for _, g := range []solver.Grid{easy, all, no} {
		solver.Count(t.Context(), g, 2)
	}
	n := 0
	for range solver.All(t.Context(), all) {
		if n++; n == 3 {
			break
		}
	}
	for _, e := range engines {
		w := e.Work()
		want[fmt.Sprintf("sudoku_searches_total{engine=%q}", e)] = strconv.FormatUint(w.Searches-before[e].Searches, 10)
		want[fmt.Sprintf("sudoku_search_guesses_total{engine=%q}", e)] = strconv.FormatUint(w.Guesses-before[e].Guesses, 10)
	}
}

func parse(t *testing.T, text string) solver.Grid {
	t.Helper()
	g, err := solver.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// awaitMetric scrapes until a series has a value.
func awaitMetric(t *testing.T, addr, series, value string) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		if _, text := get(t, addr, "/metrics"); strings.Contains(text, "\n"+series+" "+value+"\n") {
			return
		}
	}
	t.Errorf("%s did not become %s", series, value)
}

// TestProbes follows a worker from before the connection to its end.
func TestProbes(t *testing.T) {
	t.Parallel()
	server := natstest.Reserve(t, "")
	addr := fmt.Sprintf("127.0.0.1:%d", natstest.Port(t))
	p := startWorker(t, "NATS_URL="+server.URL, "SUDOKU_HTTP_ADDR="+addr, "SUDOKU_WORKER_CONCURRENCY=2", "SUDOKU_WORKER_TIMEOUT=1h")
	p.await("listening")
	alive := func(connected string) {
		t.Helper()
		wantGet(t, addr, "/healthz", http.StatusOK, "ok")
		awaitMetric(t, addr, `sudoku_nats_connected{connection="requests"}`, connected)
	}
	ready := func() {
		t.Helper()
		wantGet(t, addr, "/readyz", http.StatusOK, "ready")
		wantHealth(t, 0, "ready", "--addr", addr)
	}
	unready := func(reason string) {
		t.Helper()
		wantGet(t, addr, "/readyz", http.StatusServiceUnavailable, "not ready: "+reason)
		wantHealth(t, 1, "worker: not ready: "+reason, "--addr", addr)
		wantHealth(t, 0, "ok", "--alive", "--addr", addr)
	}
	p.await("not connected, still trying")
	alive("0")
	unready("not connected to NATS")
	server.Start()
	p.await("ready")
	alive("1")
	ready()
	server.Stop()
	p.await("disconnected, trying to connect again")
	alive("0")
	unready("not connected to NATS")
	server.Start()
	p.await("connected")
	ready()
	wantMetrics(t, addr, map[string]string{`sudoku_nats_reconnects_total{connection="requests"}`: "2"})

	reply := search(t, dial(t, server.URL))
	awaitMetric(t, addr, "sudoku_pool_busy_slots", "1")
	p.signal(syscall.SIGTERM)
	p.await("stopping")
	alive("1")
	unready("stopping")
	wantMetrics(t, addr, map[string]string{"sudoku_pool_busy_slots": "1", "sudoku_pool_slots": "2"})
	p.signal(syscall.SIGTERM)
	if _, err := reply.NextMsg(patience); err != nil {
		t.Error(err)
	}
	p.exits(0)
	wantHealth(t, 1, "worker: dial tcp "+addr+": connect: connection refused", "--addr", addr)
}

// wantHealth runs worker health and compares its exit status, and the line it
// prints.
func wantHealth(t *testing.T, status int, text string, args ...string) {
	t.Helper()
	c := exec.Command("worker", append([]string{"health"}, args...)...)
	out, _ := c.CombinedOutput()
	if got := c.ProcessState.ExitCode(); got != status || string(out) != text+"\n" {
		t.Errorf("worker health %v = %d %q, want %d %q", args, got, out, status, text+"\n")
	}
}

func TestNotReadyWithoutPermission(t *testing.T) {
	t.Parallel()
	server := natstest.Start(t, `authorization { users: [{ user: u, password: p, permissions: { subscribe: { allow: ">", deny: "sudoku.v1.all" } } }] }`)
	p := startWorker(t, "NATS_URL="+server.URL, "NATS_USER=u", "NATS_PASSWORD=p", "SUDOKU_HTTP_ADDR=127.0.0.1:0")
	addr := p.await("listening").Addr
	p.await("ready")
	wantGet(t, addr, "/readyz", http.StatusServiceUnavailable,
		`not ready: nats: permissions violation: Permissions Violation for Subscription to "sudoku.v1.all" using queue "sudoku-workers"`)
	p.signal(syscall.SIGTERM)
	p.exits(0)
}

func TestPortInUse(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	p := startWorker(t, "SUDOKU_HTTP_ADDR="+l.Addr().String())
	p.await("worker: SUDOKU_HTTP_ADDR: listen tcp " + l.Addr().String() + ": bind: address already in use")
	p.exits(2)
}

func TestListenerLimits(t *testing.T) {
	t.Parallel()
	p := startWorker(t, "NATS_URL="+natstest.Reserve(t, "").URL, "SUDOKU_HTTP_ADDR=127.0.0.1:0")
	addr := p.await("listening").Addr
	for _, tt := range []struct {
		name, method, path string
		header             int // bytes
		want               int
	}{
		{"another path", http.MethodGet, "/", 0, http.StatusNotFound},
		{"another method", http.MethodPost, "/metrics", 0, http.StatusMethodNotAllowed},
		{"large headers", http.MethodGet, "/healthz", maxHeaderBytes / 2, http.StatusOK},
		{"too large headers", http.MethodGet, "/healthz", 2 * maxHeaderBytes, http.StatusRequestHeaderFieldsTooLarge},
	} {
		r, err := http.NewRequest(tt.method, "http://"+addr+tt.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Filler", strings.Repeat("x", tt.header))
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != tt.want {
			t.Errorf("%s: %s %s = %d, want %d", tt.name, tt.method, tt.path, answer.StatusCode, tt.want)
		}
	}
	p.signal(syscall.SIGTERM)
	p.exits(0)
}

// Clients that do not get on with their requests are cut off, and cost others nothing
// meanwhile.
func TestListenerIsNotHeld(t *testing.T) {
	t.Parallel()
	p := startWorker(t, "NATS_URL="+natstest.Reserve(t, "").URL, "SUDOKU_HTTP_ADDR=127.0.0.1:0")
	addr := p.await("listening").Addr
	held := map[string]net.Conn{}
	for _, begun := range []string{"", "GET /metrics HTTP/1.1\r\nHost: x\r\n"} {
		c, err := net.Dial("tcp", addr)
		if err == nil {
			_, err = io.WriteString(c, begun)
		}
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		held[begun] = c
	}
	wantGet(t, addr, "/healthz", http.StatusOK, "ok")
	for begun, c := range held {
		c.SetReadDeadline(time.Now().Add(patience))
		if _, err := io.Copy(io.Discard, c); err != nil {
			t.Errorf("a connection with %q of a request ends with %v, want it closed by the worker", begun, err)
		}
	}
	p.signal(syscall.SIGTERM)
	p.exits(0)
}
