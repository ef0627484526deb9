package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"sudoku/solver"
	"sudoku/worker/jobs"
)

var (
	jobDeliveries = prometheus.NewDesc("sudoku_job_deliveries_total",
		"Chunks and manifests of durable jobs that this worker had in hand. Those that end as dead are dead letters.", []string{"outcome"}, nil)
	jobRedeliveries = prometheus.NewDesc("sudoku_job_redeliveries_total",
		"Deliveries of what had been delivered before, here or to another worker.", nil, nil)
	jobPuzzles = prometheus.NewDesc("sudoku_job_puzzles_total",
		"Puzzles of durable jobs whose answers are stored.", []string{"outcome"}, nil)
	jobWait = prometheus.NewDesc("sudoku_job_wait_seconds",
		"Time from the delivery of a chunk until its search began.", nil, nil)
	jobTook = prometheus.NewDesc("sudoku_job_chunk_seconds",
		"Time from the delivery of a chunk until its answers were stored and it was acknowledged.", nil, nil)
	jobInHand = prometheus.NewDesc("sudoku_job_in_hand",
		"Deliveries that are not acknowledged.", nil, nil)
	jobMostInHand = prometheus.NewDesc("sudoku_job_in_hand_limit",
		"Deliveries that a worker has at most, a third of them not solved yet.", nil, nil)
)

// Jobs returns a collector of what j does and has done.
func Jobs(j *jobs.Jobs) prometheus.Collector { return jobsCollector{j} }

type jobsCollector struct{ j *jobs.Jobs }

func (c jobsCollector) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{jobDeliveries, jobRedeliveries, jobPuzzles, jobWait, jobTook, jobInHand, jobMostInHand} {
		ch <- d
	}
}

func (c jobsCollector) Collect(ch chan<- prometheus.Metric) {
	m := c.j.Metrics()
	for o, n := range m.Deliveries {
		ch <- counter(jobDeliveries, n, jobs.Outcome(o).String())
	}
	for s, n := range m.Puzzles {
		ch <- counter(jobPuzzles, n, solver.Status(s).String())
	}
	ch <- counter(jobRedeliveries, m.Redeliveries)
	ch <- histogram(jobWait, &m.Wait)
	ch <- histogram(jobTook, &m.Took)
	ch <- gauge(jobInHand, m.InHand)
	ch <- gauge(jobMostInHand, m.MostInHand)
}
