package chaos

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"sudoku/worker/local/natstest"
)

// A server is a NATS server with JetStream in a process of its own. It keeps its
// port and its files when it is killed and started again.
type server struct {
	*process
	name, config string // a name, and a file
	address      string // of its clients
}

// newServer starts a server that is alone.
func newServer(t testing.TB) *server {
	s := prepare(t, "alone", addresses(t, 1)[0], "")
	s.start()
	return s
}

// newCluster starts servers that share their streams.
func newCluster(t testing.TB, n int) []*server {
	clients, routes := addresses(t, n), addresses(t, n)
	all := make([]*server, n)
	for i := range all {
		cluster := fmt.Sprintf("cluster: { name: chaos, listen: %q, no_advertise: true, routes: [nats://%s] }\n",
			routes[i], strings.Join(routes, ", nats://"))
		all[i] = prepare(t, fmt.Sprintf("node%d", i), clients[i], cluster)
		all[i].launch()
	}
	for _, s := range all {
		s.await(ready)
	}
	return all
}

// addresses returns n of the loopback interface that are those of this test.
func addresses(t testing.TB, n int) (all []string) {
	t.Helper()
	for range n {
		all = append(all, fmt.Sprintf("127.0.0.1:%d", natstest.Port(t)))
	}
	return all
}

// prepare writes the configuration of a server. It misses clients soon that have
// become silent.
func prepare(t testing.TB, name, address, more string) *server {
	t.Helper()
	dir := t.TempDir()
	s := &server{name: name, address: address, config: filepath.Join(dir, "nats.conf")}
	config := fmt.Sprintf("server_name: %s\nlisten: %q\nping_interval: 1s\nping_max: 2\njetstream: { store_dir: %q }\n%s", name, address, dir, more)
	if err := os.WriteFile(s.config, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	s.process = &process{t: t}
	return s
}

func (s *server) url() string { return "nats://" + s.address }

// ready is what a server says when it takes connections.
const ready = "Server is ready"

// launch starts the server, and returns before it is ready.
func (s *server) launch() { s.process = start(s.t, program(s.t, "nats-server", "--config", s.config)) }

// start starts the server and returns when it takes connections.
func (s *server) start() {
	s.launch()
	s.await(ready)
}

// restart ends the server, in a moment or with a shutdown, and starts it again.
func (s *server) restart(how syscall.Signal) {
	s.end(how)
	s.start()
}

// urls returns where to find any of the servers.
func urls(all []*server) string {
	var list []string
	for _, s := range all {
		list = append(list, s.url())
	}
	return strings.Join(list, ",")
}

// ending returns one of the ways in which a server ends.
func ending(r *rand.Rand) syscall.Signal {
	return []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM}[r.IntN(2)]
}
