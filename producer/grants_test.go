package main

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"sudoku/worker/jobs"
	"sudoku/worker/local/natstest"
	"sudoku/worker/service"
)

// A command that NATS does not permit ends at once, and says which grant is
// missing. The users are those of deploy/nats.
func TestMissingGrant(t *testing.T) {
	for _, c := range []struct {
		name, user, inbox string
		args              string
		want              string
	}{
		{"solve", "reader", "_INBOX_reader", "solve " + puzzle, "publish to sudoku.v1.solve"},
		{"count", "monitor", "_INBOX_monitor", "count " + puzzle, "publish to sudoku.v1.count"},
		{"all", "worker", "_INBOX_worker", "all " + puzzle, "publish to sudoku.v1.all"},
		{"inboxes of others", "requester", "_INBOX_monitor", "solve " + puzzle, "subscribe to _INBOX_monitor.>"},
		{"inboxes of all", "requester", "", "solve " + puzzle, "subscribe to _INBOX.>"},
		{"submit", "reader", "_INBOX_reader", "submit " + puzzle, "subscribe to sudoku.v1.results.*.cancelled"},
		{"results", "requester", "_INBOX_requester", "results j", "publish to $JS.API.STREAM.INFO.SUDOKU_JOBS"},
		{"status", "requester", "_INBOX_requester", "status j", "publish to $JS.API.STREAM.INFO.SUDOKU_JOBS"},
		{"jobs", "worker", "_INBOX_worker", "jobs", "publish to $JS.API.STREAM.INFO.SUDOKU_JOBS"},
		{"cancel", "requester", "_INBOX_requester", "cancel j", "publish to $JS.API.STREAM.INFO.SUDOKU_JOBS"},
		{"dead", "monitor", "_INBOX_monitor", "dead ls", "publish to $JS.API.CONSUMER.CREATE.SUDOKU_DEAD.*"},
		{"top", "requester", "_INBOX_requester", "top --once", "publish to $SRV.STATS.sudoku"},
		{"setup", "reader", "_INBOX_reader", "setup", "publish to $JS.API.STREAM.INFO.SUDOKU_DEAD"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := natstest.Start(t, natstest.JetStream(t)+"include ../deploy/nats/auth.conf")
			var stderr strings.Builder
			p := exec.Command("producer", strings.Fields(c.args)...)
			p.Env = append(os.Environ(), "SUDOKU_NATS_URL="+s.URL, "SUDOKU_NATS_USER="+c.user, "SUDOKU_NATS_INBOX="+c.inbox)
			p.Stderr = &stderr
			p.Run()
			if got := p.ProcessState.ExitCode(); got != 4 {
				t.Errorf("exit status of producer %s as %s = %d, want 4", c.args, c.user, got)
			}
			if got, want := stderr.String(), "producer: the NATS server does not permit it: "+c.want+"\n"; got != want {
				t.Errorf("producer %s as %s says %q, want %q", c.args, c.user, got, want)
			}
		})
	}
}

// The commands that deploy/nats/auth.conf names for each user need no other grant.
func TestGrantsSuffice(t *testing.T) {
	s := natstest.Start(t, natstest.JetStream(t)+"include ../deploy/nats/auth.conf")
	startWorkerAs(t, s, "worker")
	for _, c := range []struct {
		user, args string
		want       string // in what is printed
	}{
		{"admin", "setup", "SUDOKU_JOBS: create"},
		{"admin", "setup --results-age 24h", "max_age"},
		{"requester", "solve -q " + puzzle, solution},
		{"requester", "count -q " + puzzle, "1"},
		{"requester", "all -q " + puzzle, solution},
		{"submitter", "submit -q --job j " + puzzle, "j"},
		{"submitter", "submit -q --job j " + puzzle, "j"}, // resumed
		{"submitter", "solve -q --durable " + puzzle, solution},
		{"reader", "results -q --follow j", solution},
		{"reader", "status j", "solved"},
		{"reader", "jobs", "j "},
		{"admin", "status j", "solved"},
		{"admin", "jobs", "j "},
		{"admin", "dead ls", "LETTER"},
		{"admin", "cancel j", ""},
		{"monitor", "top --once --interval 100ms --json", `"results":`},
	} {
		p := exec.Command("producer", strings.Fields(c.args)...)
		p.Env = append(os.Environ(), "SUDOKU_NATS_URL="+s.URL, "SUDOKU_NATS_USER="+c.user, "SUDOKU_NATS_INBOX=_INBOX_"+c.user)
		if out, err := p.CombinedOutput(); err != nil || !strings.Contains(string(out), c.want) {
			t.Errorf("producer %s as %s: %v, prints %q, want %q", c.args, c.user, err, out, c.want)
		}
	}
}

// startWorkerAs starts a worker as a user, for requests and jobs.
func startWorkerAs(t *testing.T, s *natstest.Server, user string) {
	t.Helper()
	nc, err := nats.Connect(s.URL, nats.UserInfo(user, ""), nats.CustomInboxPrefix("_INBOX_"+user))
	if err != nil {
		t.Fatal(err)
	}
	w, err := service.Start(nc, service.Options{})
	if err != nil {
		t.Fatal(err)
	}
	j, err := jobs.Start(nc, w.Solve, jobs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		j.Stop(context.Background())
		w.Stop(context.Background())
		nc.Close()
	})
}
