package natstest_test

import (
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"sudoku/worker/local/natstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func connect(t *testing.T, s *natstest.Server, o ...nats.Option) *nats.Conn {
	t.Helper()
	nc, err := nats.Connect(s.URL, o...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

func TestRestartKeepsThePort(t *testing.T) {
	s := natstest.Start(t, "")
	again := make(chan struct{})
	nc := connect(t, s, nats.MaxReconnects(-1), nats.ReconnectWait(time.Millisecond),
		nats.ReconnectHandler(func(*nats.Conn) { close(again) }))
	s.Restart()
	<-again
	if err := nc.Flush(); err != nil {
		t.Errorf("Flush after a restart = %v, want nil", err)
	}
}

func TestCutClosesTheConnection(t *testing.T) {
	s := natstest.Start(t, "")
	closed := make(chan struct{})
	nc := connect(t, s, nats.NoReconnect(), nats.ClosedHandler(func(*nats.Conn) { close(closed) }))
	s.Cut(nc)
	<-closed
}

func TestReserve(t *testing.T) {
	s := natstest.Reserve(t, "")
	if _, err := nats.Connect(s.URL); !errors.Is(err, nats.ErrNoServers) {
		t.Errorf("Connect before Start = %v, want %v", err, nats.ErrNoServers)
	}
	s.Start()
	connect(t, s)
}

func TestConfig(t *testing.T) {
	s := natstest.Start(t, "max_payload: 1000")
	if got := connect(t, s).MaxPayload(); got != 1000 {
		t.Errorf("MaxPayload() = %d, want 1000", got)
	}
}

func TestJetStreamSurvivesARestart(t *testing.T) {
	s := natstest.Start(t, natstest.JetStream(t))
	js := jetStream(t, s)
	if _, err := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: "S", Subjects: []string{"s"}}); err != nil {
		t.Fatal(err)
	}
	s.Restart()
	js = jetStream(t, s)
	if _, err := js.Stream(t.Context(), "S"); err != nil {
		t.Errorf("Stream after a restart = %v, want nil", err)
	}
}

func jetStream(t *testing.T, s *natstest.Server) jetstream.JetStream {
	t.Helper()
	js, err := jetstream.New(connect(t, s))
	if err != nil {
		t.Fatal(err)
	}
	return js
}
