package service

import (
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"sudoku/solver"
	"sudoku/solver/wire"
)

// traceparent is the example of https://www.w3.org/TR/trace-context/.
const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

func TestSpans(t *testing.T) {
	recorder := tracetest.NewSpanRecorder()
	tracer := sdk.NewTracerProvider(sdk.WithSpanProcessor(recorder)).Tracer("test")
	_, nc := serve(t, Options{Concurrency: 1, Tracer: tracer}, solver.SolveBatch)
	for _, tt := range []struct {
		name    string
		body    string
		header  []string
		outcome string // of the span; empty if there is none
		puzzles int
	}{
		{"answered", lines(easy, easy), []string{"traceparent", traceparent}, "ok", 2},
		{"failed", "12345", []string{"traceparent", traceparent}, "bad_request", 1},
		{"no trace", easy, nil, "", 0},
		{"no trace among headers", easy, []string{wire.HeaderTimeout, "10000"}, "", 0},
		{"garbage", easy, []string{"traceparent", "garbage"}, "", 0},
		{"not sampled", easy, []string{"traceparent", traceparent[:53] + "00"}, "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			recorder.Reset()
			send(t, nc, wire.SubjectSolve, tt.body, tt.header...).reply()
			spans := recorder.Ended()
			if tt.outcome == "" {
				if len(spans) > 0 {
					t.Errorf("%d spans, want none", len(spans))
				}
				return
			}
			if len(spans) != 1 {
				t.Fatalf("%d spans, want 1", len(spans))
			}
			checkSpan(t, spans[0], tt.outcome, tt.puzzles)
		})
	}
}

func checkSpan(t *testing.T, s sdk.ReadOnlySpan, outcome string, puzzles int) {
	t.Helper()
	if got := s.Parent(); got.TraceID().String() != traceparent[3:35] || got.SpanID().String() != traceparent[36:52] || !got.IsRemote() {
		t.Errorf("parent = %v, want the one of %s", got, traceparent)
	}
	attributes := attribute.NewSet(s.Attributes()...)
	if v, _ := attributes.Value("sudoku.outcome"); v.AsString() != outcome {
		t.Errorf("outcome = %q, want %q", v.AsString(), outcome)
	}
	if v, _ := attributes.Value("sudoku.puzzles"); v.AsInt64() != int64(puzzles) {
		t.Errorf("puzzles = %d, want %d", v.AsInt64(), puzzles)
	}
	if failed := s.Status().Code == codes.Error; failed != (outcome != "ok") {
		t.Errorf("status = %v, want an error unless the outcome is ok", s.Status())
	}
	events := s.Events()
	if len(events) != 1 || events[0].Name != "taken" || events[0].Time.Before(s.StartTime()) || s.EndTime().Before(events[0].Time) {
		t.Errorf("events %v from %v to %v, want taken between the two", events, s.StartTime(), s.EndTime())
	}
}
