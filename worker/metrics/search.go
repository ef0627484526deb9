package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"sudoku/solver"
)

var (
	engine = prometheus.NewDesc("sudoku_engine_info",
		"Always 1; the label says what solves batches.", []string{"engine"}, nil)
	searches = prometheus.NewDesc("sudoku_searches_total",
		"Puzzles searched by an engine; one that the lanes leave to the scalar engine counts for both.", []string{"engine"}, nil)
	guesses = prometheus.NewDesc("sudoku_search_guesses_total",
		"Candidates tried where nothing more followed from the clues.", []string{"engine"}, nil)
)

// Search returns a collector of what the engines have done in this process.
func Search() prometheus.Collector { return searchCollector{} }

type searchCollector struct{}

func (searchCollector) Describe(ch chan<- *prometheus.Desc) {
	ch <- engine
	ch <- searches
	ch <- guesses
}

func (searchCollector) Collect(ch chan<- prometheus.Metric) {
	ch <- gauge(engine, 1, solver.EngineInUse().String())
	for _, e := range []solver.Engine{solver.AVX512, solver.AVX2, solver.Scalar} {
		w := e.Work()
		ch <- counter(searches, w.Searches, e.String())
		ch <- counter(guesses, w.Guesses, e.String())
	}
}
