package main

import (
	"syscall"
	"testing"

	"sudoku/worker/local/natstest"
)

// What NATS does not permit is named in the log. The user is one of those in
// deploy/nats who is no worker.
func TestMissingGrants(t *testing.T) {
	t.Parallel()
	server := natstest.Start(t, natstest.JetStream(t)+"include ../deploy/nats/auth.conf")
	p := startWorker(t, "NATS_URL="+server.URL, "NATS_USER=submitter", "NATS_INBOX=_INBOX_submitter")
	missing := map[string]bool{
		"subscribe to sudoku.v1.solve in queue group sudoku-workers": true,
		"subscribe to sudoku.v1.count in queue group sudoku-workers": true,
		"subscribe to sudoku.v1.all in queue group sudoku-workers":   true,
		"subscribe to $SRV.PING":                                     true,
		"publish to $JS.API.CONSUMER.MSG.NEXT.SUDOKU_JOBS.workers":   true,
	}
	for len(missing) > 0 {
		delete(missing, p.await("the server does not permit it").Missing)
	}
	p.signal(syscall.SIGTERM)
	p.exits(0)
}

func TestGrantsOfAWorker(t *testing.T) {
	t.Parallel()
	server := natstest.Start(t, natstest.JetStream(t)+"include ../deploy/nats/auth.conf")
	p := startWorker(t, "NATS_URL="+server.URL, "NATS_USER=worker", "NATS_INBOX=_INBOX_worker")
	p.await("ready")
	p.signal(syscall.SIGTERM)
	for l := range p.log {
		if l.Missing != "" {
			t.Errorf("the log misses the grant %q, want none missing", l.Missing)
		}
	}
	p.exits(0)
}
