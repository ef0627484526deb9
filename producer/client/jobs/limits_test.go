package jobs_test

import (
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"sudoku/producer/client/jobs"
	"sudoku/solver/wire"
	"sudoku/worker/local/natstest"
)

// Headers and subjects can be as long as the server lets them be. Such a chunk is
// given up as any other that is none, and the worker goes on.
func TestLongHeadersAndSubjects(t *testing.T) {
	s := natstest.Start(t, natstest.JetStream(t))
	nc := connect(t, s)
	c := newClientOn(t, nc)
	setUp(t, c)
	w := startWorker(t, s)
	ctx := soon(t)
	const most = 1<<16 - 1 // bytes of headers, as JetStream takes them
	for _, tt := range []struct {
		name, subject string
		header        nats.Header
		body          string
	}{
		{"a long header of ours", wire.JobSubject("a"), nats.Header{wire.HeaderChunk: {strings.Repeat("1", 60_000)}}, easy},
		{"a long header of others", wire.JobSubject("b"), nats.Header{"X": {strings.Repeat("x", most-len("NATS/1.0\r\nX: \r\n\r\n"))}}, ""},
		{"many headers", wire.JobSubject("c"), nats.Header{"X": strings.Split(strings.Repeat("x", 10_000), "")}, ""},
		{"a long header and a long body", wire.JobSubject("d"), nats.Header{"X": {strings.Repeat("x", 60_000)}}, strings.Repeat("x", 980_000)},
		{"a long job", wire.JobSubject(strings.Repeat("j", 3900)), nil, easy},
		{"a long subject", wire.JobSubject("e." + strings.Repeat("j", 3900)), nil, easy},
		{"a subject of many tokens", wire.JobSubject("f" + strings.Repeat(".j", 1900)), nil, easy},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dead := subscribe(t, nc, wire.SubjectDead)
			stored, err := nc.RequestMsgWithContext(ctx, &nats.Msg{Subject: tt.subject, Header: tt.header, Data: []byte(tt.body)})
			if err != nil || !strings.Contains(string(stored.Data), wire.StreamJobs) || strings.Contains(string(stored.Data), "error") {
				t.Fatalf("storing the chunk: %s, %v", stored.Data, err)
			}
			m, err := dead.NextMsgWithContext(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if e := wire.ParseError(m.Header); e == nil || m.Header.Get(wire.HeaderDeliveries) != "1" {
				t.Errorf("dead letter says %v after %s deliveries, want why, after 1", e, m.Header.Get(wire.HeaderDeliveries))
			}
			if n := len(m.Header.Get(wire.HeaderSubject)); n > 300 {
				t.Errorf("dead letter has a subject of %d bytes, want 300 at most", n)
			}
		})
	}
	if _, err := c.Submit(ctx, "good", puzzles(t, 1000)); err != nil {
		t.Fatal(err)
	}
	got, err := collect(c.Results(ctx, "good", jobs.Reading{Follow: true}))
	if err != nil {
		t.Fatal(err)
	}
	differ(t, got, answers(0, 1000))
	if n := w.nc.Stats().Reconnects; n != 0 {
		t.Errorf("the worker lost its connection %d times, want never", n)
	}
}
