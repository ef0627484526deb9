package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nats.go/micro"

	"sudoku/producer/client/jobs"
	"sudoku/solver/wire"
)

// A snapshot is what the workers and the streams say at a moment.
type snapshot struct {
	at      time.Time
	workers []workerStats  // by id
	durable *jobs.Overview // nil where there are no streams
	jobs    []jobs.Status  // that are not done
}

// A workerStats is the answer of a worker to $SRV.STATS.
type workerStats struct {
	micro.Stats
	roundTrip time.Duration
}

// How long the answers of workers are waited for: the first one, another one, and
// all of them. Nobody knows how many there are.
const (
	firstStats = time.Second
	nextStats  = 200 * time.Millisecond
	allStats   = 2 * time.Second
)

// Bounds of the answers that are looked at.
const (
	maxWorkers = 1 << 14
	maxStats   = 64 << 10 // bytes of one, which takes 1 kB
)

// A watcher takes snapshots.
type watcher struct {
	nc   *nats.Conn
	jobs *jobs.Client
	log  *slog.Logger
}

// look takes a snapshot.
func (w watcher) look(ctx context.Context) (s snapshot, err error) {
	s.at = time.Now()
	if s.workers, err = w.workers(ctx); err != nil {
		return snapshot{}, fmt.Errorf("asking the workers: %w", err)
	}
	overview, err := w.jobs.Overview(ctx)
	switch {
	case errors.Is(err, jetstream.ErrStreamNotFound), errors.Is(err, jetstream.ErrConsumerNotFound), errors.Is(err, jobs.ErrNoJetStream):
		return s, nil
	case err != nil:
		return snapshot{}, err
	}
	s.durable = &overview
	all, err := w.jobs.Jobs(ctx)
	if err != nil {
		return snapshot{}, err
	}
	s.jobs = slices.DeleteFunc(all, func(j jobs.Status) bool { return j.Pending == 0 && (j.Complete || j.Cancelled) })
	return s, nil
}

// workers asks all workers, and takes what comes in time.
func (w watcher) workers(ctx context.Context) ([]workerStats, error) {
	inbox := w.nc.NewInbox()
	sub, err := w.nc.SubscribeSync(inbox)
	if err != nil {
		return nil, err
	}
	defer sub.Unsubscribe()
	subject, err := micro.ControlSubject(micro.StatsVerb, wire.Service, "")
	if err != nil {
		return nil, err
	}
	asked := time.Now()
	if err := w.nc.PublishRequest(subject, inbox, nil); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, allStats)
	defer cancel()
	var workers []workerStats
	for wait := firstStats; len(workers) < maxWorkers; wait = nextStats {
		m, err := next(ctx, sub, wait)
		if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrNoResponders) {
			break
		}
		if err != nil {
			return nil, err
		}
		stats := workerStats{roundTrip: time.Since(asked)}
		if len(m.Data) <= maxStats && json.Unmarshal(m.Data, &stats.Stats) == nil && stats.ID != "" {
			workers = append(workers, stats)
		}
	}
	slices.SortFunc(workers, func(a, b workerStats) int { return cmp.Compare(a.ID, b.ID) })
	return workers, nil
}

func next(ctx context.Context, sub *nats.Subscription, wait time.Duration) (*nats.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	return sub.NextMsgWithContext(ctx)
}
