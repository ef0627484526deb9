// Package natstest is a NATS server for tests that need a real one: it listens
// on a port of the loopback interface, and can be stopped, restarted and made
// to cut connections.
//
//	s := natstest.Start(t, "")
//	nc, err := nats.Connect(s.URL)
//	…
//	s.Restart()
package natstest

import (
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// A Server is a NATS server that lives until its test ends. Its methods end the
// test when they do not succeed, so they are for the test's own goroutine.
type Server struct {
	URL string // the same after a restart

	t      testing.TB
	config string
	port   int
	server *server.Server // nil while stopped
}

// Start returns a server that takes connections. The config is text in the
// language of nats-server's configuration files, such as "max_payload: 1000";
// it may be empty.
func Start(t testing.TB, config string) *Server {
	t.Helper()
	s := Reserve(t, config)
	s.Start()
	return s
}

// JetStream returns a config of a server with JetStream, whose files are kept
// when it restarts, and removed when the test ends.
func JetStream(t testing.TB) string {
	t.Helper()
	return fmt.Sprintf("jetstream: { store_dir: %q }\n", t.TempDir())
}

// Reserve returns a server that is not started yet: its URL is known, but
// nothing listens there until Start is called.
func Reserve(t testing.TB, config string) *Server {
	t.Helper()
	port := Port(t)
	s := &Server{URL: fmt.Sprintf("nats://127.0.0.1:%d", port), t: t, config: config, port: port}
	t.Cleanup(s.Stop)
	return s
}

// patience is how long a server may take to start on a machine that is busy.
const patience = time.Minute

// Start starts the server again after Stop, on the same port.
func (s *Server) Start() {
	s.t.Helper()
	var o server.Options
	if s.config != "" {
		if err := o.ProcessConfigString(s.config); err != nil {
			s.t.Fatalf("NATS server configuration: %v", err)
		}
	}
	o.Host, o.Port = "127.0.0.1", s.port
	o.NoSigs, o.NoLog = true, true
	srv, err := server.NewServer(&o)
	if err != nil {
		s.t.Fatalf("creating the NATS server: %v", err)
	}
	srv.Start()
	if !srv.ReadyForConnections(patience) {
		s.t.Fatal("the NATS server did not start")
	}
	s.server, s.URL = srv, srv.ClientURL()
}

// Stop closes all connections and the port. Calling it again is harmless.
func (s *Server) Stop() {
	if s.server == nil {
		return
	}
	s.server.Shutdown()
	s.server.WaitForShutdown()
	s.server = nil
}

// Restart stops the server and starts it again. Nothing survives it but the
// clients' wish to connect again, and what [JetStream] keeps.
func (s *Server) Restart() {
	s.t.Helper()
	s.Stop()
	s.Start()
}

// Cut closes the connection of nc from the server's side, without a word. Give
// nc the option [nats.NoReconnect] and it looks like a program that was killed.
func (s *Server) Cut(nc *nats.Conn) {
	s.t.Helper()
	id, err := nc.GetClientID()
	if err == nil {
		err = s.server.DisconnectClientByID(id)
	}
	if err != nil {
		s.t.Fatalf("cutting a connection: %v", err)
	}
}
