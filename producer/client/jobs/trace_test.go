package jobs_test

import (
	"testing"

	"github.com/nats-io/nats.go"
	"go.opentelemetry.io/otel/trace"

	"sudoku/solver/wire"
	"sudoku/solver/wire/tracing"
	"sudoku/worker/local/natstest"
)

// The chunks and the manifest of a job, and a chunk that is submitted again, belong
// to the trace of the job.
func TestTraceIsPassedOn(t *testing.T) {
	s := natstest.Start(t, natstest.JetStream(t))
	nc := connect(t, s)
	c := newClientOn(t, nc)
	setUp(t, c)
	ctx := tracing.Extract(soon(t), nats.Header{"traceparent": {"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}})
	want := trace.SpanContextFromContext(ctx)
	sub := subscribe(t, nc, wire.SubjectJobs)
	check := func(what string) {
		t.Helper()
		m, err := sub.NextMsgWithContext(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if got := trace.SpanContextFromContext(tracing.Extract(t.Context(), m.Header)); !got.Equal(want) {
			t.Errorf("%s belongs to %v, want %v", what, got, want)
		}
	}
	if _, err := c.Submit(ctx, "j", puzzles(t, 1)); err != nil {
		t.Fatal(err)
	}
	check("the chunk")
	check("the manifest")

	startWorker(t, s)
	ended := subscribe(t, nc, "$JS.ACK."+wire.StreamJobs+".>")
	bad := &nats.Msg{Subject: wire.JobSubject("k"), Header: tracing.Inject(nil, want)} // no chunk: it is empty
	if err := nc.PublishMsg(bad); err != nil {
		t.Fatal(err)
	}
	check("the bad chunk")
	for said := ""; said != "+TERM"; { // then its letter is stored
		m, err := ended.NextMsgWithContext(ctx)
		if err != nil {
			t.Fatal(err)
		}
		said = string(m.Data)
	}
	if err := c.Retry(soon(t), 1); err != nil {
		t.Fatal(err)
	}
	check("the chunk submitted again")
}
