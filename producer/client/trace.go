package client

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"sudoku/solver/wire/tracing"
)

// scope is the name of what makes the spans.
const scope = "sudoku/producer/client"

// startSpan begins the span of a request: a child of the one in ctx, from the same
// provider. Without one in ctx there is none, and it costs next to nothing.
func (r *request) startSpan(ctx context.Context) {
	parent := trace.SpanFromContext(ctx)
	if !parent.SpanContext().IsValid() {
		return
	}
	_, r.span = parent.TracerProvider().Tracer(scope).Start(ctx, r.task.subject(),
		trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(
			attribute.String("messaging.system", "nats"),
			attribute.String("messaging.destination.name", r.task.subject()),
			attribute.Int("sudoku.puzzles", len(r.task.puzzles())),
		))
}

// inject adds to h the headers that name the span of r.
func (r *request) inject(h map[string][]string) map[string][]string {
	if r.span == nil {
		return h
	}
	return tracing.Inject(h, r.span.SpanContext())
}

// note says in the span that the request failed and is not yet given up.
func (r *request) note(what string, err error) {
	if r.span != nil {
		r.span.AddEvent(what, trace.WithAttributes(attribute.String("error", err.Error()), attribute.Int("attempt", int(r.attempt))))
	}
}

// endSpan ends the span of a request that is answered, or has failed with err.
func (r *request) endSpan(err error) {
	if r.span == nil {
		return
	}
	if err != nil {
		r.span.SetStatus(codes.Error, err.Error())
	}
	r.span.End()
}
