package tracing

import (
	"maps"
	"reflect"
	"testing"

	"go.opentelemetry.io/otel/trace"
)

// The example of https://www.w3.org/TR/trace-context/#traceparent-header.
const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

func TestExtractInject(t *testing.T) {
	for _, c := range []struct {
		name  string
		in    map[string][]string
		valid bool
	}{
		{"both", map[string][]string{"traceparent": {parent}, "tracestate": {"vendor=value"}}, true},
		{"parent alone", map[string][]string{"traceparent": {parent}}, true},
		{"not sampled", map[string][]string{"traceparent": {parent[:53] + "00"}}, true},
		{"nothing", nil, false},
		{"state alone", map[string][]string{"tracestate": {"vendor=value"}}, false},
		{"no value", map[string][]string{"traceparent": {}}, false},
		{"empty", map[string][]string{"traceparent": {""}}, false},
		{"garbage", map[string][]string{"traceparent": {"garbage"}}, false},
		{"zero trace", map[string][]string{"traceparent": {"00-00000000000000000000000000000000-00f067aa0ba902b7-01"}}, false},
		{"zero span", map[string][]string{"traceparent": {"00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01"}}, false},
		{"capitals", map[string][]string{"Traceparent": {parent}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			sc := trace.SpanContextFromContext(Extract(t.Context(), c.in))
			if sc.IsValid() != c.valid || sc.IsRemote() != c.valid {
				t.Errorf("Extract(%v) = %v, valid %v, remote %v, want %v", c.in, sc, sc.IsValid(), sc.IsRemote(), c.valid)
			}
			want := c.in
			if !c.valid {
				want = nil
			}
			if got := Inject(nil, sc); !reflect.DeepEqual(got, want) {
				t.Errorf("Inject(nil, Extract(%v)) = %v, want %v", c.in, got, want)
			}
		})
	}
}

func TestInjectKeepsOtherHeaders(t *testing.T) {
	h := map[string][]string{"Sudoku-Limit": {"1"}, "traceparent": {"old"}}
	got := Inject(maps.Clone(h), trace.SpanContextFromContext(Extract(t.Context(), map[string][]string{"traceparent": {parent}})))
	if want := map[string][]string{"Sudoku-Limit": {"1"}, "traceparent": {parent}}; !reflect.DeepEqual(got, want) {
		t.Errorf("Inject(%v) = %v, want %v", h, got, want)
	}
	if got := Inject(h, trace.SpanContext{}); !reflect.DeepEqual(got, h) {
		t.Errorf("Inject(%v) without a span = %v, want it unchanged", h, got)
	}
}
