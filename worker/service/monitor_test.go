package service

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"sudoku/solver"
	"sudoku/solver/wire"
	"sudoku/worker/local/natstest"
)

func TestDiscovery(t *testing.T) {
	s, nc := serve(t, Options{Concurrency: 3, Version: "1.2.3"}, solver.SolveBatch)
	for _, c := range []struct{ subject, body, code string }{
		{wire.SubjectSolve, easy, ""},
		{wire.SubjectSolve, lines(easy, nothing), ""},
		{wire.SubjectSolve, "", "400"},
		{wire.SubjectCount, easy, ""},
	} {
		if got := send(t, nc, c.subject, c.body).reply().Header.Get(wire.HeaderErrorCode); got != c.code {
			t.Fatalf("%s %q: code %q, want %q", c.subject, c.body, got, c.code)
		}
	}
	id := s.monitor.identity.ID
	for _, suffix := range []string{"", ".sudoku", ".sudoku." + id} {
		t.Run("to all"+suffix, func(t *testing.T) {
			ask := func(verb string, answer any) {
				t.Helper()
				m := send(t, nc, "$SRV."+verb+suffix, "").reply()
				if err := json.Unmarshal(m.Data, answer); err != nil {
					t.Fatal(err)
				}
			}
			var ping micro.Ping
			ask("PING", &ping)
			checkIdentity(t, "PING", ping.ServiceIdentity, id)
			var info micro.Info
			ask("INFO", &info)
			checkIdentity(t, "INFO", info.ServiceIdentity, id)
			checkInfo(t, info)
			var stats micro.Stats
			ask("STATS", &stats)
			checkIdentity(t, "STATS", stats.ServiceIdentity, id)
			checkStats(t, stats)
		})
	}
}

func checkIdentity(t *testing.T, verb string, got micro.ServiceIdentity, id string) {
	t.Helper()
	if got.Name != "sudoku" || got.ID != id || got.Version != "1.2.3" || got.Metadata["concurrency"] != "3" || got.Metadata["engine"] != solver.EngineInUse().String() {
		t.Errorf("%s says %+v, want sudoku %s 1.2.3 with a concurrency of 3 and the engine %v", verb, got, id, solver.EngineInUse())
	}
}

func checkInfo(t *testing.T, got micro.Info) {
	t.Helper()
	if got.Type != micro.InfoResponseType || len(got.Endpoints) != 3 {
		t.Fatalf("INFO says %+v, want 3 endpoints", got)
	}
	for i, want := range []struct{ name, subject string }{{"solve", wire.SubjectSolve}, {"count", wire.SubjectCount}, {"all", wire.SubjectAll}} {
		e := got.Endpoints[i]
		if e.Name != want.name || e.Subject != want.subject || e.QueueGroup != wire.QueueGroup {
			t.Errorf("endpoint %d is %+v, want %v", i, e, want)
		}
	}
}

func checkStats(t *testing.T, got micro.Stats) {
	t.Helper()
	if got.Type != micro.StatsResponseType || got.Started.IsZero() || time.Since(got.Started) < 0 || len(got.Endpoints) != 3 {
		t.Fatalf("STATS says %+v, want 3 endpoints and a start in the past", got)
	}
	for i, want := range []struct {
		requests, errors int
		last             string
	}{
		{3, 1, "empty request: send one puzzle a line, 81 characters each (400)"},
		{1, 0, ""},
		{0, 0, ""},
	} {
		e := got.Endpoints[i]
		if e.NumRequests != want.requests || e.NumErrors != want.errors || e.LastError != want.last {
			t.Errorf("%s has %d requests, %d errors, last %q, want %+v", e.Name, e.NumRequests, e.NumErrors, e.LastError, want)
		}
		average := time.Duration(0)
		if e.NumRequests > 0 {
			average = e.ProcessingTime / time.Duration(e.NumRequests)
		}
		if (e.ProcessingTime > 0) != (want.requests > 0) || e.AverageProcessingTime != average {
			t.Errorf("%s took %v, %v on average, for %d requests", e.Name, e.ProcessingTime, e.AverageProcessingTime, e.NumRequests)
		}
	}
}

func TestDiscoveryEndsWithTheService(t *testing.T) {
	s, nc := serve(t, Options{}, solver.SolveBatch)
	if err := s.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := nc.Request("$SRV.PING", nil, patience); !errors.Is(err, nats.ErrNoResponders) {
		t.Errorf("$SRV.PING after Stop = %v, want %v", err, nats.ErrNoResponders)
	}
}

// Who asks for more than is answered in time gets no answer to the rest, and costs
// requests nothing.
func TestDiscoveryIsBounded(t *testing.T) {
	server := natstest.Start(t, "")
	slow := make(chan error, 1)
	s, err := Start(connect(t, server.URL, nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { slow <- err })), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop(t.Context())
	nc := connect(t, server.URL)
	s.endpoints[0].accounts.mu.Lock() // which the answer to the first waits for
	for range 2 * maxAsked {
		if err := nc.PublishRequest("$SRV.STATS", "nobody", nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := <-slow; !errors.Is(err, nats.ErrSlowConsumer) {
		t.Errorf("error handler got %v, want %v", err, nats.ErrSlowConsumer)
	}
	send(t, nc, wire.SubjectCount, easy).want("", "1\n")
	s.endpoints[0].accounts.mu.Unlock()
	send(t, nc, "$SRV.STATS.sudoku", "").reply()
}
