package client_test

import (
	"context"
	"slices"
	"testing"

	"github.com/nats-io/nats.go"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"sudoku/producer/client"
	"sudoku/solver"
	"sudoku/solver/wire"
	"sudoku/worker/local"
	"sudoku/worker/service"
)

// traced returns a context in a span, and what records the spans that end.
func traced(t *testing.T) (context.Context, *tracetest.SpanRecorder) {
	t.Helper()
	recorder := tracetest.NewSpanRecorder()
	ctx, span := sdk.NewTracerProvider(sdk.WithSpanProcessor(recorder)).Tracer("test").Start(t.Context(), "caller")
	t.Cleanup(func() { span.End() })
	return ctx, recorder
}

// TestTrace follows requests from the caller to the worker.
func TestTrace(t *testing.T) {
	ctx, recorder := traced(t)
	caller := trace.SpanFromContext(ctx)
	l, err := local.Start(local.Options{Service: service.Options{Tracer: caller.TracerProvider().Tracer("worker")}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Stop(context.Background()) })
	nc, err := l.Connect()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	c := newClient(t, nc, client.Options{Batch: 2})
	if _, err := c.Solve(ctx, parse(t, easy)); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Count(ctx, parse(t, two), 10); err != nil {
		t.Fatal(err)
	}
	for _, err := range c.SolveAll(ctx, times(parse(t, easy), 5)) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range c.All(ctx, parse(t, two), 10) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Solve(t.Context(), parse(t, easy)); err != nil { // without a trace
		t.Fatal(err)
	}

	clients, asked, answered := map[trace.SpanID]sdk.ReadOnlySpan{}, map[string]int{}, map[string]int{}
	for _, s := range recorder.Ended() {
		if s.SpanKind() != trace.SpanKindClient {
			continue
		}
		clients[s.SpanContext().SpanID()] = s
		asked[s.Name()]++
		if got, want := s.Parent().SpanID(), caller.SpanContext().SpanID(); got != want {
			t.Errorf("span %s has the parent %s, want the caller's, %s", s.Name(), got, want)
		}
	}
	for _, s := range recorder.Ended() {
		if s.SpanKind() != trace.SpanKindServer {
			continue
		}
		answered[s.Name()]++
		parent, ok := clients[s.Parent().SpanID()]
		switch {
		case !ok || parent.Name() != s.Name() || !s.Parent().IsRemote():
			t.Errorf("span %s of the worker has the parent %v, want the client's", s.Name(), s.Parent())
		case s.SpanContext().TraceID() != caller.SpanContext().TraceID():
			t.Errorf("span %s of the worker is of another trace than the caller's", s.Name())
		case s.StartTime().Before(parent.StartTime()) || s.EndTime().After(parent.EndTime()):
			t.Errorf("span %s of the worker is not within the client's", s.Name())
		}
	}
	want := map[string]int{wire.SubjectSolve: 1 + 3, wire.SubjectCount: 1, wire.SubjectAll: 1} // or more to solve: a batch may not be full
	for subject, n := range want {
		if asked[subject] < n || answered[subject] != asked[subject] {
			t.Errorf("%d spans %s of the client and %d of the worker, want %d or more and as many", asked[subject], subject, answered[subject], n)
		}
	}
}

// TestTraceOfAnotherProcess passes on a trace that nobody here records.
func TestTraceOfAnotherProcess(t *testing.T) {
	const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	got := make(chan nats.Header, 1)
	nc := pretend(t, func(f fake, _ int, m *nats.Msg) {
		got <- m.Header
		f.solve(m)
	})
	id, _ := trace.TraceIDFromHex(parent[3:35])
	span, _ := trace.SpanIDFromHex(parent[36:52])
	sc := trace.NewSpanContext(trace.SpanContextConfig{TraceID: id, SpanID: span, TraceFlags: trace.FlagsSampled, Remote: true})
	c := newClient(t, nc, client.Options{})
	if _, err := c.Solve(trace.ContextWithSpanContext(t.Context(), sc), parse(t, easy)); err != nil {
		t.Fatal(err)
	}
	if h := <-got; len(h["traceparent"]) != 1 || h["traceparent"][0] != parent {
		t.Errorf("headers = %v, want traceparent %s", h, parent)
	}
}

// TestTraceOfFailures wants every span to end, and those of requests without an
// answer to say so.
func TestTraceOfFailures(t *testing.T) {
	for _, tt := range []struct {
		name   string
		answer func(f fake, n int, m *nats.Msg)
		ask    func(ctx context.Context, c *client.Client)
		want   []codes.Code // of the spans in the order in which they end
		events []string
	}{
		{"retried", func(f fake, n int, m *nats.Msg) {
			if n == 1 {
				f.fail(m, wire.CodeBusy)
			} else {
				f.solve(m)
			}
		}, solveOne, []codes.Code{codes.Unset}, []string{"retried"}},
		{"refused", func(f fake, _ int, m *nats.Msg) { f.fail(m, wire.CodeBadRequest) }, solveOne, []codes.Code{codes.Error}, nil},
		{"divided", func(f fake, n int, m *nats.Msg) {
			if n == 1 {
				f.fail(m, wire.CodeTooLarge)
			} else {
				f.solve(m)
			}
		}, solveTwo, []codes.Code{codes.Unset, codes.Unset, codes.Unset}, []string{"divided"}},
		{"cancelled", func(fake, int, *nats.Msg) {}, func(ctx context.Context, c *client.Client) {
			ctx, cancel := context.WithCancel(ctx)
			cancel()
			solveOne(ctx, c)
		}, []codes.Code{codes.Error}, nil},
		{"closed", func(fake, int, *nats.Msg) {}, func(ctx context.Context, c *client.Client) {
			c.Close()
			solveOne(ctx, c)
		}, []codes.Code{codes.Error}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newClient(t, pretend(t, tt.answer), client.Options{})
			ctx, recorder := traced(t)
			tt.ask(ctx, c)
			var got []codes.Code
			var events []string
			for _, s := range recorder.Ended() {
				got = append(got, s.Status().Code)
				for _, e := range s.Events() {
					events = append(events, e.Name)
				}
			}
			if !slices.Equal(got, tt.want) || !slices.Equal(events, tt.events) {
				t.Errorf("spans end with %v and events %v, want %v, %v", got, events, tt.want, tt.events)
			}
		})
	}
}

func solveOne(ctx context.Context, c *client.Client) { c.Solve(ctx, solver.Grid{}) }

func solveTwo(ctx context.Context, c *client.Client) {
	for range c.SolveAll(ctx, times(solver.Grid{}, 2)) {
	}
}
