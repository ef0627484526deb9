// Package tracing puts the trace that a message belongs to into its headers, and
// reads it from there: traceparent and tracestate, as W3C Trace Context specifies
// them, https://www.w3.org/TR/trace-context/. Requesters and workers share it:
//
//	m.Header = tracing.Inject(m.Header, span.SpanContext())
//	ctx = tracing.Extract(ctx, m.Header)
package tracing

import (
	"context"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// Inject returns h, in the form of nats.Header, with the headers that name the
// span of sc, and makes h where it is nil. Where sc is not valid it returns h as it
// is.
func Inject(h map[string][]string, sc trace.SpanContext) map[string][]string {
	if !sc.IsValid() {
		return h
	}
	if h == nil {
		h = map[string][]string{}
	}
	propagation.TraceContext{}.Inject(trace.ContextWithSpanContext(context.Background(), sc), carrier(h))
	return h
}

// Extract returns ctx with the span that h names, as one of another process; ctx as
// it is where h names none, or not as it should.
func Extract(ctx context.Context, h map[string][]string) context.Context {
	return propagation.TraceContext{}.Extract(ctx, carrier(h))
}

// A carrier has the names of headers as they are; those of NATS are not as
// those of HTTP.
type carrier map[string][]string

func (c carrier) Get(name string) string {
	if v := c[name]; len(v) > 0 {
		return v[0]
	}
	return ""
}

func (c carrier) Set(name, value string) { c[name] = []string{value} }

// Keys is a part of the interface that nothing here needs.
func (c carrier) Keys() []string {
	keys := make([]string, 0, len(c))
	for k := range c {
		keys = append(keys, k)
	}
	return keys
}
