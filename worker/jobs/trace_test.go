package jobs_test

import (
	"context"
	"testing"

	"github.com/nats-io/nats.go"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"sudoku/solver/wire"
	"sudoku/solver/wire/tracing"
	"sudoku/worker/jobs"
)

// traced returns the body and headers as a message of a job that belongs to a trace,
// the example of https://www.w3.org/TR/trace-context/.
func traced(body string) *nats.Msg {
	const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	return &nats.Msg{Subject: wire.JobSubject("j"), Data: []byte(body), Header: nats.Header{"traceparent": {traceparent}}}
}

// spanOf returns the span that a message belongs to.
func spanOf(m *nats.Msg) trace.SpanContext {
	return trace.SpanContextFromContext(tracing.Extract(context.Background(), m.Header))
}

// A result belongs to the trace of its chunk, also where this worker does not
// record it.
func TestTraceIsPassedOn(t *testing.T) {
	_, nc := setUp(t)
	answers, dead := results(t, nc), subscribe(t, nc, wire.DeadSubject("j"))
	start(t, nc, batch, jobs.Options{})
	for body, sub := range map[string]*nats.Subscription{easy: answers, "": dead} {
		m := traced(body)
		if err := nc.PublishMsg(m); err != nil {
			t.Fatal(err)
		}
		if got, want := spanOf(await(t, sub)), spanOf(m); !got.Equal(want) {
			t.Errorf("what became of chunk %q belongs to %v, want %v", body, got, want)
		}
	}
}

func TestSpans(t *testing.T) {
	_, nc := setUp(t)
	answers := results(t, nc)
	recorder := tracetest.NewSpanRecorder()
	tracer := sdk.NewTracerProvider(sdk.WithSpanProcessor(recorder)).Tracer("test")
	j := start(t, nc, batch, jobs.Options{Tracer: tracer})
	chunk := traced(easy)
	if err := nc.PublishMsg(chunk); err != nil {
		t.Fatal(err)
	}
	result := await(t, answers)
	publish(t, nc, 1) // without a trace
	await(t, answers)
	if err := j.Stop(context.Background()); err != nil { // all spans have ended
		t.Fatal(err)
	}
	spans := recorder.Ended()
	if len(spans) != 1 {
		t.Fatalf("%d spans, want 1", len(spans))
	}
	if got, want := spans[0].Parent(), spanOf(chunk); !got.Equal(want) {
		t.Errorf("the span has the parent %v, want %v", got, want)
	}
	if got, want := spanOf(result).SpanID(), spans[0].SpanContext().SpanID(); got != want {
		t.Errorf("the result belongs to span %v, want %v", got, want)
	}
}
