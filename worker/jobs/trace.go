package jobs

import (
	"context"

	"github.com/nats-io/nats.go"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"sudoku/solver/wire/tracing"
)

// startSpan begins the span of d, unless there is no tracer or d belongs to no
// trace. What is stored for d belongs to the span, or else to the trace of d.
func (j *Jobs) startSpan(d *delivery) {
	parent := trace.SpanContextFromContext(tracing.Extract(context.Background(), d.Header))
	d.trace = parent
	if j.tracer == nil || !parent.IsValid() {
		return
	}
	_, d.span = j.tracer.Start(trace.ContextWithRemoteSpanContext(context.Background(), parent), d.Subject,
		trace.WithSpanKind(trace.SpanKindConsumer),
		trace.WithAttributes(
			attribute.String("messaging.system", "nats"),
			attribute.String("messaging.destination.name", d.Subject),
			attribute.String("sudoku.job", d.job),
			attribute.Int("sudoku.deliveries", d.deliveries),
		))
	d.trace = d.span.SpanContext()
}

// endSpan ends the span of d, if it has one; err is why there are no answers.
func endSpan(d *delivery, o Outcome, err error) {
	if d.span == nil {
		return
	}
	puzzles := 0
	for _, n := range d.puzzles {
		puzzles += int(n)
	}
	d.span.SetAttributes(attribute.Int("sudoku.puzzles", puzzles), attribute.String("sudoku.outcome", o.String()))
	if err != nil {
		d.span.SetStatus(codes.Error, err.Error())
	}
	d.span.End()
}

// mark says in m, which is stored for d, which trace it belongs to.
func (d *delivery) mark(m *nats.Msg) *nats.Msg {
	m.Header = tracing.Inject(m.Header, d.trace)
	return m
}
