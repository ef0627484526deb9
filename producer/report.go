package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// A report is what a bench has measured.
type report struct {
	CPUs    int `json:"cpus"`
	Puzzles int `json:"puzzles"` // that differ
	Window  int `json:"window"`
	Batch   int `json:"batch"`

	EchoSingle   rates `json:"echo_single"` // one request at a time
	SolveSingle  rates `json:"solve_single"`
	SolverSingle rates `json:"solver_single"` // without the queue

	EchoPipelined  rates `json:"echo_pipelined"` // a window of messages of one puzzle
	SolvePipelined rates `json:"solve_pipelined"`

	EchoBatched  rates `json:"echo_batched"` // a window of messages of a batch
	SolveBatched rates `json:"solve_batched"`
	Solver       rates `json:"solver"` // on all CPUs, without the queue
}

// Rates are how many puzzles a second, and the percentiles of the latency of a
// message in microseconds; 0 where there are no messages.
type rates struct {
	PerSecond float64 `json:"puzzles_per_second"`
	P50       float64 `json:"p50_us"`
	P90       float64 `json:"p90_us"`
	P99       float64 `json:"p99_us"`
	P999      float64 `json:"p99_9_us"`
}

func (r report) print(w io.Writer) error {
	fmt.Fprintf(w, "%d CPUs, %d puzzles, a window of %d messages\n\n", r.CPUs, r.Puzzles, r.Window)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "\tpuzzles/s\tp50 µs\tp90 µs\tp99 µs\tp99.9 µs\t\n")
	for _, row := range []struct {
		name string
		rates
	}{
		{"one at a time: echo", r.EchoSingle},
		{"worker", r.SolveSingle},
		{"solver alone", r.SolverSingle},
		{"one a message: echo", r.EchoPipelined},
		{"workers", r.SolvePipelined},
		{fmt.Sprintf("%d a message: echo", r.Batch), r.EchoBatched},
		{"workers", r.SolveBatched},
		{"solver alone", r.Solver},
	} {
		row.print(t, row.name)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	many := r.SolveBatched.PerSecond
	_, err := fmt.Fprintf(w, `
One at a time, p50: %.0f µs, which is the echo's %.0f and the solver's %.0f and %.0f more.
One a message: %.2f of the echo's rate.
%d a message: %.2f of the echo's rate, %.2f of the solver's, %.2f of both one after the other.
`,
		r.SolveSingle.P50, r.EchoSingle.P50, r.SolverSingle.P50, r.SolveSingle.P50-r.EchoSingle.P50-r.SolverSingle.P50,
		r.SolvePipelined.PerSecond/r.EchoPipelined.PerSecond,
		r.Batch, many/r.EchoBatched.PerSecond, many/r.Solver.PerSecond, many*(1/r.EchoBatched.PerSecond+1/r.Solver.PerSecond))
	return err
}

func (r rates) print(w io.Writer, name string) {
	fmt.Fprintf(w, "%s\t%.0f\t", name, r.PerSecond)
	for _, µs := range []float64{r.P50, r.P90, r.P99, r.P999} {
		if µs == 0 {
			fmt.Fprint(w, "\t")
		} else {
			fmt.Fprintf(w, "%.0f\t", µs)
		}
	}
	fmt.Fprintln(w)
}

// A recorder keeps latencies of a nanosecond to a minute, to three digits, and how
// many puzzles there were in which time.
type recorder struct {
	*hdrhistogram.Histogram
	puzzles int
	time    time.Duration
}

func newRecorder() *recorder {
	return &recorder{Histogram: hdrhistogram.New(1, int64(time.Minute), 3)}
}

// since records the time since start as a latency.
func (r *recorder) since(start time.Time) {
	r.RecordValue(int64(min(max(time.Since(start), 1), time.Minute)))
}

// add adds puzzles and their time.
func (r *recorder) add(puzzles int, d time.Duration) {
	r.puzzles += puzzles
	r.time += d
}

func (r *recorder) rates() rates {
	µs := func(percentile float64) float64 { return float64(r.ValueAtPercentile(percentile)) / 1000 }
	return rates{PerSecond: float64(r.puzzles) / r.time.Seconds(), P50: µs(50), P90: µs(90), P99: µs(99), P999: µs(99.9)}
}
