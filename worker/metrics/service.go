package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"sudoku/solver"
	"sudoku/worker/service"
	"sudoku/worker/times"
)

var (
	requests = prometheus.NewDesc("sudoku_requests_total",
		"Requests that have ended, refused ones among them.", []string{"endpoint", "outcome"}, nil)
	rejected = prometheus.NewDesc("sudoku_requests_rejected_total",
		"Requests that ended without a search.", []string{"endpoint", "reason"}, nil)
	puzzles = prometheus.NewDesc("sudoku_puzzles_total",
		"Puzzles answered.", []string{"endpoint", "outcome"}, nil)
	wait = prometheus.NewDesc("sudoku_request_wait_seconds",
		"Time from the arrival of a request until a slot took it.", []string{"endpoint"}, nil)
	took = prometheus.NewDesc("sudoku_request_solve_seconds",
		"Time that a slot took for a request, with all its puzzles.", []string{"endpoint"}, nil)
	lost = prometheus.NewDesc("sudoku_replies_lost_total",
		"Replies that the connection did not take.", []string{"endpoint"}, nil)

	slots = prometheus.NewDesc("sudoku_pool_slots",
		"Requests that are answered at a time.", nil, nil)
	busy = prometheus.NewDesc("sudoku_pool_busy_slots",
		"Slots at work.", nil, nil)
	backlog = prometheus.NewDesc("sudoku_backlog_puzzles",
		"Puzzles that wait for a slot, about.", nil, nil)
	room = prometheus.NewDesc("sudoku_backlog_limit_puzzles",
		"Puzzles that may wait before requests are refused as busy.", nil, nil)
	panics = prometheus.NewDesc("sudoku_panics_total",
		"Panics in a search; each is in the log.", nil, nil)
)

// Service returns a collector of what s does and has done.
func Service(s *service.Service) prometheus.Collector { return serviceCollector{s} }

type serviceCollector struct{ s *service.Service }

func (c serviceCollector) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{requests, rejected, puzzles, wait, took, lost, slots, busy, backlog, room, panics} {
		ch <- d
	}
}

func (c serviceCollector) Collect(ch chan<- prometheus.Metric) {
	m := c.s.Metrics()
	for _, e := range m.Endpoints {
		collectEndpoint(ch, &e)
	}
	ch <- gauge(slots, m.Slots)
	ch <- gauge(busy, m.Busy)
	ch <- gauge(backlog, m.Backlog)
	ch <- gauge(room, m.Room)
	ch <- counter(panics, m.Panics)
}

func collectEndpoint(ch chan<- prometheus.Metric, e *service.EndpointMetrics) {
	for o, n := range e.Requests {
		ch <- counter(requests, n, e.Name, service.Outcome(o).String())
	}
	for r, n := range e.Rejected {
		if r := service.Reason(r); r != service.NotRejected {
			ch <- counter(rejected, n, e.Name, r.String())
		}
	}
	for s, n := range e.Puzzles {
		ch <- counter(puzzles, n, e.Name, solver.Status(s).String())
	}
	ch <- histogram(wait, &e.Wait, e.Name)
	ch <- histogram(took, &e.Took, e.Name)
	ch <- counter(lost, e.Lost, e.Name)
}

func gauge(d *prometheus.Desc, n int, labels ...string) prometheus.Metric {
	return prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(n), labels...)
}

func counter(d *prometheus.Desc, n uint64, labels ...string) prometheus.Metric {
	return prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(n), labels...)
}

// histogram adds up the buckets, each of which Prometheus has with all below it.
func histogram(d *prometheus.Desc, h *times.Histogram, labels ...string) prometheus.Metric {
	buckets := make(map[float64]uint64, times.Buckets)
	n := uint64(0)
	for i := range times.Buckets {
		n += h.Counts[i]
		buckets[times.Bound(i).Seconds()] = n
	}
	n += h.Counts[times.Buckets]
	return prometheus.MustNewConstHistogram(d, n, h.Sum.Seconds(), buckets, labels...)
}
