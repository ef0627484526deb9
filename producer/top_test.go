package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"sudoku/producer/client/jobs"
	"sudoku/solver/wire"
	"sudoku/worker/local/natstest"
)

func TestSince(t *testing.T) {
	start := time.Now()
	worker := func(id string, started time.Time, solve ...int) workerStats {
		return workerStats{micro.Stats{
			ServiceIdentity: micro.ServiceIdentity{ID: id},
			Started:         started,
			Endpoints: []*micro.EndpointStats{
				{Name: "solve", NumRequests: solve[0], NumErrors: solve[1], ProcessingTime: time.Duration(solve[2]), Data: json.RawMessage(`{"busy":3,"backlog":7}`)},
				{Name: "all", NumRequests: 1},
			},
		}, time.Millisecond}
	}
	old, now := start.Add(-time.Hour), start.Add(2*time.Second)
	before := snapshot{
		at:      start,
		workers: []workerStats{worker("a", old, 100, 10, 1000)},
		durable: &jobs.Overview{Results: 10},
		jobs:    []jobs.Status{{Job: "j", Pending: 20, Done: 10}},
	}
	r := snapshot{
		at:      now,
		workers: []workerStats{worker("a", old, 140, 12, 1000+40*2_500_000), worker("missed", old, 1000, 0, 0), worker("new", start.Add(time.Second), 20, 0, 0)},
		durable: &jobs.Overview{Waiting: 1, InHand: 2, Results: 16},
		jobs:    []jobs.Status{{Job: "j", Pending: 14, Done: 16}, {Job: "k", Pending: 1}},
	}.since(before)

	got, want := r.Workers[0].flow, flow{load{141, 12, 3, 0, 1000 + 40*2_500_000}, 20, 1, 0, 2500}
	if r.Workers[0].ID != "a" || got != want || r.Workers[0].Backlog != 7 {
		t.Errorf("flow of a = %+v with a backlog of %d, want %+v with 7", got, r.Workers[0].Backlog, want)
	}
	if got := r.Workers[1].RequestRate; got != 0 {
		t.Errorf("%v requests a second of a worker that was not seen before, want 0", got)
	}
	if got := r.Workers[2].RequestRate; got != 10.5 {
		t.Errorf("%v requests a second of a new worker, want 10.5", got)
	}
	if got := r.Endpoints[0]; got.Name != "solve" || got.Requests != 1160 || got.RequestRate != 30 {
		t.Errorf("endpoint %+v, want solve with 1160 requests, 30 a second", got)
	}
	if got := *r.Durable; got != (durableFlow{Waiting: 1, InHand: 2, Results: 16, Rate: 3}) {
		t.Errorf("durable %+v, want 3 results a second", got)
	}
	if r.Jobs[0].Rate != 3 || r.Jobs[1].Rate != 0 || len(r.Jobs) != 2 {
		t.Errorf("jobs %+v, want 3 chunks a second of the first", r.Jobs)
	}
	for _, want := range []string{"a ", "2.5ms", "1 chunks waiting, 2 in hand", "submitting"} {
		if text := r.text(); !strings.Contains(text, want) {
			t.Errorf("text has no %q:\n%s", want, text)
		}
	}
}

func TestCrop(t *testing.T) {
	const text = "12345\nµµµµµ\n123\n4\n"
	for _, c := range []struct {
		width, height int
		want          string
	}{
		{80, 24, "12345\nµµµµµ\n123\n4"},
		{4, 24, "1234\nµµµµ\n123\n4"},
		{80, 2, "12345\nµµµµµ"},
		{0, 0, ""},
	} {
		if got := crop(text, c.width, c.height); got != c.want {
			t.Errorf("crop(%q, %d, %d) = %q, want %q", text, c.width, c.height, got, c.want)
		}
	}
}

// TestTopFollows has impostors answer for the workers: what is no answer is left
// out, and nothing they say controls the terminal. It watches until the connection
// to the server has been away and come back.
func TestTopFollows(t *testing.T) {
	s := natstest.Start(t, "")
	nc, err := nats.Connect(s.URL, nats.MaxReconnects(-1), nats.ReconnectWait(10*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	for _, answer := range []string{`{"id":"one","version":"\u001b[31m1.2.3"}`, `{"id":"two"}`, `no JSON`, `{}`, ``, `{"id":"large"}` + strings.Repeat(" ", maxStats)} {
		if _, err := nc.Subscribe("$SRV.STATS."+wire.Service, func(m *nats.Msg) { m.Respond([]byte(answer)) }); err != nil {
			t.Fatal(err)
		}
	}
	if err := nc.Flush(); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SUDOKU_NATS_URL", s.URL)
	ctx, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	go func() {
		in.CloseWithError(run(ctx, []string{"top", "--json", "--interval=100ms"}, strings.NewReader(""), in, io.Discard))
	}()
	reports := bufio.NewScanner(out)
	next := func() (r topReport) {
		t.Helper()
		if !reports.Scan() || json.Unmarshal(reports.Bytes(), &r) != nil || len(r.Endpoints) != 3 {
			t.Fatalf("report is %s, want one with 3 endpoints", reports.Bytes())
		}
		return r
	}
	r := next()
	for len(r.Workers) < 2 { // one was slow to answer
		r = next()
	}
	if len(r.Workers) != 2 || r.Workers[0].Version != "[31m1.2.3" {
		t.Errorf("report has workers %+v, want one and two, without control characters", r.Workers)
	}
	s.Restart()
	for range 2 {
		next()
	}
	stop()
	if _, err := io.Copy(io.Discard, out); status(err) != 130 {
		t.Errorf("run(top) = %v, want it interrupted", err)
	}
}
