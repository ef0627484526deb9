package check

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const (
	puzzle   = "003020600900305001001806400008102900700000008006708200002609500800203009005010300"
	solution = "483921657967345821251876493548132976729564138136798245372689514814253769695417382"
)

// patience is how long a test waits for what must come.
const patience = time.Minute

// A cluster is the three servers of cluster.conf as processes on the loopback
// interface.
type cluster struct {
	dir   string // the servers and their clients start here; it holds tls
	ports [3]struct{ client, route, monitor int }
}

func startCluster(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{dir: certificates(t)}
	for i := range c.ports {
		p := ports(t, 3)
		c.ports[i].client, c.ports[i].route, c.ports[i].monitor = p[0], p[1], p[2]
	}
	return c
}

// start starts server i, 0 to 2, and returns what kills it.
func (c *cluster) start(t *testing.T, i int) (kill func()) {
	t.Helper()
	var routes []string
	for _, p := range c.ports {
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", p.route))
	}
	return start(t, c.dir, syscall.SIGKILL, program("nats-server", "--config", conf(t, "cluster.conf"),
		"--name", fmt.Sprintf("nats-%d", i+1), "--store_dir", fmt.Sprintf("data-%d", i+1),
		"--addr", "127.0.0.1", "--port", fmt.Sprint(c.ports[i].client),
		"--http_port", fmt.Sprint(c.ports[i].monitor),
		"--cluster", routes[i], "--routes", strings.Join(routes, ",")))
}

// start starts a program in a directory, and returns what sends it the signal and
// waits for its end; the test's end does so too. What the program says is shown if
// the test fails.
func start(t *testing.T, dir string, s syscall.Signal, p *exec.Cmd) (end func()) {
	t.Helper()
	var log bytes.Buffer
	p.Dir, p.Stdout, p.Stderr = dir, &log, &log
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	end = sync.OnceFunc(func() {
		p.Process.Signal(s)
		p.Wait()
		if t.Failed() {
			t.Logf("%v:\n%s", p, &log)
		}
	})
	t.Cleanup(end)
	return end
}

// awaitHealth waits until server i has a leader for its streams.
func (c *cluster) awaitHealth(t *testing.T, i int) {
	t.Helper()
	await(t, fmt.Sprintf("http://127.0.0.1:%d/healthz", c.ports[i].monitor))
}

// await waits until the URL is answered with 200.
func await(t *testing.T, url string) string {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		r, err := http.Get(url)
		if err != nil {
			continue
		}
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err == nil && r.StatusCode == http.StatusOK {
			return string(body)
		}
	}
	t.Fatalf("GET %s is not answered with 200 within %v", url, patience)
	return ""
}

// as makes p a client of all three servers with the certificate of a user, or,
// for the user "", with none.
func (c *cluster) as(user string, p *exec.Cmd) *exec.Cmd {
	var urls []string
	for _, port := range c.ports {
		urls = append(urls, fmt.Sprintf("tls://127.0.0.1:%d", port.client))
	}
	p.Dir = c.dir
	p.Env = append(p.Env, "SUDOKU_NATS_URL="+strings.Join(urls, ","), "SUDOKU_NATS_CA=tls/ca.crt")
	if user != "" {
		p.Env = append(p.Env, "SUDOKU_NATS_CERT=tls/"+user+".crt", "SUDOKU_NATS_KEY=tls/"+user+".key", "SUDOKU_NATS_INBOX=_INBOX_"+user)
	}
	return p
}

// checkSolves has a puzzle solved. There may be no worker for a moment: both may have
// lost the server that was killed, and look for another one.
func (c *cluster) checkSolves(t *testing.T) {
	t.Helper()
	const noWorkers = 4
	for deadline := time.Now().Add(patience); ; {
		p := c.as("requester", program("producer", "--quiet", puzzle))
		out, err := p.CombinedOutput()
		if string(out) == solution+"\n" {
			return
		}
		if p.ProcessState.ExitCode() != noWorkers || time.Now().After(deadline) {
			t.Fatalf("%v: %v, prints %q, want %q", p, err, out, solution)
		}
	}
}

func (c *cluster) startWorker(t *testing.T) {
	t.Helper()
	address := fmt.Sprintf("127.0.0.1:%d", ports(t, 1)[0])
	w := c.as("worker", program("worker"))
	w.Env = append(w.Env, "SUDOKU_HTTP_ADDR="+address)
	start(t, c.dir, syscall.SIGTERM, w)
	await(t, "http://"+address+"/readyz")
}

func TestClusterLosesAServer(t *testing.T) {
	c := startCluster(t)
	var kill [3]func()
	for i := range kill {
		kill[i] = c.start(t, i)
	}
	for i := range kill {
		c.awaitHealth(t, i)
	}
	c.startWorker(t)
	c.startWorker(t)
	c.checkSolves(t)
	for i := range kill {
		kill[i]()
		c.checkSolves(t)
		c.start(t, i)
		c.awaitHealth(t, i)
	}
	c.checkSolves(t)
}

func TestClusterRefusesStrangers(t *testing.T) {
	c := startCluster(t)
	for i := range c.ports {
		c.start(t, i)
	}
	for i := range c.ports {
		c.awaitHealth(t, i)
	}
	for _, user := range []string{"", "server"} {
		t.Run(user, func(t *testing.T) {
			p := c.as(user, program("producer", "--quiet", puzzle))
			out, err := p.CombinedOutput()
			if code := p.ProcessState.ExitCode(); code != 4 {
				t.Errorf("%v with the certificate of %q: %v, prints %s, want exit status 4", p, user, err, out)
			}
		})
	}
}
