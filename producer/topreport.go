package main

import (
	"encoding/json"
	"strings"
	"time"
	"unicode"

	"github.com/nats-io/nats.go/micro"

	"sudoku/producer/client/jobs"
)

// A topReport is what has happened between two snapshots, and how it stands at
// the second.
type topReport struct {
	Time      time.Time     `json:"time"`
	Seconds   float64       `json:"seconds"` // between the snapshots
	Workers   []workerFlow  `json:"workers"`
	Endpoints []endpoint    `json:"endpoints"` // of all workers together
	Durable   *durableFlow  `json:"durable"`   // null where there are no streams
	Jobs      []jobProgress `json:"jobs"`      // that are not done
}

type workerFlow struct {
	ID          string    `json:"id"`
	Version     string    `json:"version"`
	Started     time.Time `json:"started"`
	Concurrency string    `json:"concurrency"`
	RoundTrip   float64   `json:"round_trip_us"`
	Backlog     int       `json:"backlog"` // puzzles that wait for a slot
	flow
}

type endpoint struct {
	Name string `json:"name"`
	flow
}

type durableFlow struct {
	Waiting     int     `json:"chunks_waiting"`
	InHand      int     `json:"chunks_in_hand"`
	Redelivered int     `json:"chunks_redelivered"`
	Results     int     `json:"results"`
	Dead        int     `json:"dead_letters"`
	Rate        float64 `json:"results_per_second"`
}

type jobProgress struct {
	Job     string  `json:"job"`
	State   string  `json:"state"`
	Done    int     `json:"chunks_done"`
	Pending int     `json:"chunks_pending"`
	Failed  int     `json:"chunks_failed"`
	Rate    float64 `json:"chunks_per_second"`
}

// A flow is what requests there were: in all, and a second of late.
type flow struct {
	load
	RequestRate float64 `json:"requests_per_second"`
	ErrorRate   float64 `json:"errors_per_second"`
	BusyRate    float64 `json:"busy_per_second"`
	Mean        float64 `json:"mean_us"` // time of a request of late; 0 where there was none
}

// A load is what requests there were in all.
type load struct {
	Requests int           `json:"requests"`
	Errors   int           `json:"errors"`  // of the requests
	Busy     int           `json:"busy"`    // of the errors, those for want of room
	Dropped  int           `json:"dropped"` // before they were counted
	time     time.Duration // of all requests
}

// A detail is what a worker of ours adds to the numbers of an endpoint.
type detail struct {
	Busy, Dropped int
	Backlog       int // of the worker
}

func detailOf(e *micro.EndpointStats) (d detail) {
	_ = json.Unmarshal(e.Data, &d) // it is a worker's own affair what is there
	return d
}

func loadOf(e *micro.EndpointStats) load {
	d := detailOf(e)
	return load{e.NumRequests, e.NumErrors, d.Busy, d.Dropped, e.ProcessingTime}
}

// backlogOf returns how many puzzles wait at a worker, which each endpoint says.
func backlogOf(w workerStats) (n int) {
	for _, e := range w.Endpoints {
		n = max(n, detailOf(e).Backlog)
	}
	return n
}

func (l load) plus(m load) load {
	return load{l.Requests + m.Requests, l.Errors + m.Errors, l.Busy + m.Busy, l.Dropped + m.Dropped, l.time + m.time}
}

func (l load) minus(m load) load {
	return load{l.Requests - m.Requests, l.Errors - m.Errors, l.Busy - m.Busy, l.Dropped - m.Dropped, l.time - m.time}
}

// flow returns l in all, with what came of late in some seconds.
func (l load) flow(late load, seconds float64) flow {
	f := flow{
		load:        l,
		RequestRate: float64(late.Requests) / seconds,
		ErrorRate:   float64(late.Errors) / seconds,
		BusyRate:    float64(late.Busy) / seconds,
	}
	if late.Requests > 0 {
		f.Mean = float64(late.time.Microseconds()) / float64(late.Requests)
	}
	return f
}

// A site is an endpoint of a worker.
type site struct{ worker, endpoint string }

func (s snapshot) loads() map[site]load {
	all := map[site]load{}
	for _, w := range s.workers {
		for _, e := range w.Endpoints {
			all[site{w.ID, e.Name}] = loadOf(e)
		}
	}
	return all
}

// since reports on the time from before to s.
func (s snapshot) since(before snapshot) topReport {
	r := topReport{Time: s.at.UTC(), Seconds: s.at.Sub(before.at).Seconds(), Workers: []workerFlow{}, Endpoints: []endpoint{}, Jobs: []jobProgress{}}
	now, late := s.loads(), s.late(before)
	// Each is the load in all, and that of late.
	ofWorker, ofEndpoint := map[string][2]load{}, map[string][2]load{}
	for p := range now {
		w, e := ofWorker[p.worker], ofEndpoint[p.endpoint]
		ofWorker[p.worker] = [2]load{w[0].plus(now[p]), w[1].plus(late[p])}
		ofEndpoint[p.endpoint] = [2]load{e[0].plus(now[p]), e[1].plus(late[p])}
	}
	for _, w := range s.workers {
		r.Workers = append(r.Workers, workerFlow{
			ID:          printable(w.ID),
			Version:     printable(w.Version),
			Started:     w.Started,
			Concurrency: printable(w.Metadata["concurrency"]),
			RoundTrip:   float64(w.roundTrip.Microseconds()),
			Backlog:     backlogOf(w),
			flow:        ofWorker[w.ID][0].flow(ofWorker[w.ID][1], r.Seconds),
		})
	}
	for _, name := range []string{"solve", "count", "all"} {
		r.Endpoints = append(r.Endpoints, endpoint{name, ofEndpoint[name][0].flow(ofEndpoint[name][1], r.Seconds)})
	}
	s.durableSince(before, &r)
	return r
}

// late returns the loads that came since before. What a worker did before it was
// first seen is not among them, unless it is new.
func (s snapshot) late(before snapshot) map[site]load {
	late, then := s.loads(), before.loads()
	for _, w := range s.workers {
		for _, e := range w.Endpoints {
			p := site{w.ID, e.Name}
			l, seen := then[p]
			if !seen && w.Started.Before(before.at) {
				l = late[p]
			}
			late[p] = late[p].minus(l)
		}
	}
	return late
}

// durableSince adds what there is about durable jobs.
func (s snapshot) durableSince(before snapshot, r *topReport) {
	if s.durable == nil {
		return
	}
	d := s.durable
	r.Durable = &durableFlow{Waiting: d.Waiting, InHand: d.InHand, Redelivered: d.Redelivered, Results: d.Results, Dead: d.Dead}
	if before.durable != nil {
		r.Durable.Rate = rateOf(d.Results-before.durable.Results, r.Seconds)
	}
	then := map[string]jobs.Status{}
	for _, j := range before.jobs {
		then[j.Job] = j
	}
	for _, j := range s.jobs {
		p := jobProgress{Job: j.Job, State: j.State(), Done: j.Done, Pending: j.Pending, Failed: j.Failed}
		if t, ok := then[j.Job]; ok {
			p.Rate = rateOf(j.Done-t.Done, r.Seconds)
		}
		r.Jobs = append(r.Jobs, p)
	}
}

// rateOf returns n a second; 0 where it has become less, as when old results go.
func rateOf(n int, seconds float64) float64 { return float64(max(n, 0)) / seconds }

// printable leaves out of what a worker says what could control a terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, text[:min(len(text), 64)])
}
