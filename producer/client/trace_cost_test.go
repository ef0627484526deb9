package client

import (
	"context"
	"testing"
)

// A request outside of a trace pays nothing for the possibility.
func TestNoTraceAllocatesNothing(t *testing.T) {
	r := new(request)
	if n := testing.AllocsPerRun(100, func() { traceRequest(r) }); n != 0 || r.span != nil {
		t.Errorf("a request without a trace allocates %v times, want 0", n)
	}
}

func BenchmarkNoTrace(b *testing.B) {
	r := new(request)
	b.ReportAllocs()
	for b.Loop() {
		traceRequest(r)
	}
}

func traceRequest(r *request) {
	r.startSpan(context.Background())
	r.inject(nil)
	r.endSpan(nil)
}
