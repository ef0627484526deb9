package service

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"sudoku/solver/wire/tracing"
)

// trace makes the span of r, from its arrival until now, which a worker took at a
// time by now, for the answer to so many puzzles. It makes none without a tracer,
// and for a request that belongs to no trace.
func (s *Service) trace(r *request, taken time.Duration, puzzles int, a *reply) {
	if s.options.Tracer == nil || len(r.Header) == 0 {
		return
	}
	ctx := tracing.Extract(context.Background(), r.Header)
	if !trace.SpanContextFromContext(ctx).IsValid() {
		return
	}
	end, ended := time.Now(), now()
	_, span := s.options.Tracer.Start(ctx, r.Subject,
		trace.WithSpanKind(trace.SpanKindServer),
		trace.WithTimestamp(end.Add(r.at-ended)),
		trace.WithAttributes(
			attribute.String("messaging.system", "nats"),
			attribute.String("messaging.destination.name", r.Subject),
			attribute.Int("sudoku.puzzles", puzzles),
			attribute.String("sudoku.outcome", outcome(a.failure).String()),
		))
	span.AddEvent("taken", trace.WithTimestamp(end.Add(taken-ended)))
	if a.failure != nil {
		span.SetStatus(codes.Error, a.failure.Error())
	}
	span.End(trace.WithTimestamp(end))
}
