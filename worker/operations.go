package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"sudoku/config"
	"sudoku/solver/wire"
	"sudoku/worker/jobs"
	"sudoku/worker/metrics"
	"sudoku/worker/service"
)

// operations is what the worker shows those who run it, over HTTP:
//
//	/metrics    numbers for Prometheus
//	/healthz    200: the process lives
//	/readyz     200 while requests come here, else 503 and why not
//
// It is there from before the connection to NATS until the program ends.
type operations struct {
	stopping context.Context // ends at the first signal
	registry *prometheus.Registry
	server   http.Server
	served   chan struct{} // closed when the server has ended

	nc      atomic.Pointer[nats.Conn]
	serving atomic.Bool
	denied  atomic.Pointer[denial]
}

// A denial is a subscription that the server did not permit. It holds until the
// connection is a new one.
type denial struct {
	reason     string
	reconnects uint64
}

// Limits of what a client of the listener may do: a scrape is small and soon over.
const (
	httpTimeout    = 10 * time.Second
	maxHeaderBytes = 16 << 10
)

// operate starts the operations, with a listener unless addr is empty. The error
// is a [*config.Error]: the address cannot be had.
func operate(stopping context.Context, addr string, log *slog.Logger) (*operations, error) {
	o := &operations{stopping: stopping, registry: prometheus.NewRegistry(), served: make(chan struct{})}
	o.registry.MustRegister(
		metrics.Build(config.Version(), runtime.Version()),
		metrics.Search(),
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	o.server = http.Server{
		Handler:        o.handler(),
		ReadTimeout:    httpTimeout,
		WriteTimeout:   httpTimeout,
		IdleTimeout:    6 * httpTimeout, // beyond the interval of scrapes
		MaxHeaderBytes: maxHeaderBytes,
		ErrorLog:       slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	if addr == "" {
		close(o.served)
		return o, nil
	}
	if err := o.listen(addr, log); err != nil {
		return nil, &config.Error{Name: "SUDOKU_HTTP_ADDR", Text: err.Error()}
	}
	return o, nil
}

func (o *operations) listen(addr string, log *slog.Logger) error {
	addr, err := config.ParseAddr(addr)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	log.Info("listening", "addr", l.Addr().String())
	go func() {
		defer close(o.served)
		if err := o.server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			log.Error("metrics and probes have ended", "error", err)
		}
	}()
	return nil
}

func (o *operations) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(o.registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET "+pathAlive, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET "+pathReady, func(w http.ResponseWriter, _ *http.Request) {
		if reason := o.notReady(); reason != "" {
			http.Error(w, "not ready: "+reason, http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ready")
	})
	return mux
}

// notReady returns why no requests come here; empty if they do.
func (o *operations) notReady() string {
	nc := o.nc.Load()
	switch denied := o.denied.Load(); {
	case o.stopping.Err() != nil:
		return "stopping"
	case nc == nil || !nc.IsConnected():
		return "not connected to NATS"
	case !o.serving.Load():
		return "not subscribed yet"
	case denied != nil && denied.reconnects == nc.Stats().Reconnects:
		return denied.reason
	}
	return ""
}

// watch shows the state of nc and bulk, the connections for requests and for jobs,
// which have been made and may not be connected yet.
func (o *operations) watch(nc, bulk *nats.Conn) {
	o.nc.Store(nc)
	o.registry.MustRegister(metrics.Connection("requests", nc), metrics.Connection("jobs", bulk))
	next := nc.ErrorHandler()
	nc.SetErrorHandler(func(nc *nats.Conn, sub *nats.Subscription, err error) {
		o.notice(nc, err)
		next(nc, sub, err)
	})
}

// notice takes note of an error of nc that is a subscription to requests denied.
func (o *operations) notice(nc *nats.Conn, err error) {
	if !errors.Is(err, nats.ErrPermissionViolation) {
		return
	}
	for _, subject := range []string{wire.SubjectSolve, wire.SubjectCount, wire.SubjectAll} {
		if strings.Contains(err.Error(), `"`+subject+`"`) {
			o.denied.Store(&denial{reason: err.Error(), reconnects: nc.Stats().Reconnects})
		}
	}
}

// serve shows s, which has subscribed on nc, and that the worker is ready. What the
// error handler is about to be told stands in nc already.
func (o *operations) serve(nc *nats.Conn, s *service.Service) {
	o.registry.MustRegister(metrics.Service(s))
	o.notice(nc, nc.LastError())
	o.serving.Store(true)
}

// work shows j. Jobs have no say in whether requests are answered.
func (o *operations) work(j *jobs.Jobs) { o.registry.MustRegister(metrics.Jobs(j)) }

// close ends the listener; a scrape that has begun is finished first.
func (o *operations) close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if o.server.Shutdown(ctx) != nil {
		o.server.Close()
	}
	<-o.served
}
