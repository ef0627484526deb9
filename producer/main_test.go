package main

import (
	"context"
	"errors"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/rogpeppe/go-internal/testscript"

	"sudoku/solver/wire"
	"sudoku/worker/jobs"
	"sudoku/worker/local/natstest"
	"sudoku/worker/service"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"producer": main})
}

// TestScripts runs the program as people do. The scripts have these commands
// besides those of testscript:
//
//	status N COMMAND...  runs a command that must end with the status N
//	nats [jetstream]     starts a NATS server and sets SUDOKU_NATS_URL
//	workers N            starts workers there
//	poison               publishes a chunk of the job poison there that is none
//	responder CODE       answers all requests there with a failure
//	await PATTERN COMMAND...  runs a command until what it prints matches
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status":    checkStatus,
			"nats":      func(ts *testscript.TestScript, _ bool, args []string) { startServer(t, ts, len(args) > 0) },
			"workers":   startWorkers,
			"responder": startResponder,
			"poison":    publishPoison,
			"await":     await,
		},
	})
}

func checkStatus(ts *testscript.TestScript, _ bool, args []string) {
	want := number(ts, args[0])
	got := 0
	err := ts.Exec(args[1], args[2:]...)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit status of %s = %d, want %d", strings.Join(args[1:], " "), got, want)
	}
}

func await(ts *testscript.TestScript, _ bool, args []string) {
	pattern := regexp.MustCompile(args[0])
	for deadline := time.Now().Add(time.Minute); ; {
		ts.Check(ts.Exec(args[1], args[2:]...))
		out := ts.ReadFile("stdout")
		if pattern.MatchString(out) {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("%s prints nothing that matches %s, but %s", strings.Join(args[1:], " "), pattern, out)
		}
	}
}

func number(ts *testscript.TestScript, text string) int {
	n, err := strconv.Atoi(text)
	ts.Check(err)
	return n
}

func startServer(t *testing.T, ts *testscript.TestScript, jetstream bool) {
	config := ""
	if jetstream {
		config = natstest.JetStream(t)
	}
	s := natstest.Start(t, config)
	ts.Defer(s.Stop)
	ts.Setenv("SUDOKU_NATS_URL", s.URL)
}

// connect connects to the server of the script until that ends.
func connect(ts *testscript.TestScript) *nats.Conn {
	nc, err := nats.Connect(ts.Getenv("SUDOKU_NATS_URL"))
	ts.Check(err)
	ts.Defer(nc.Close)
	return nc
}

func startWorkers(ts *testscript.TestScript, _ bool, args []string) {
	for range number(ts, args[0]) {
		nc := connect(ts)
		s, err := service.Start(nc, service.Options{})
		ts.Check(err)
		ts.Defer(func() { s.Stop(context.Background()) })
		j, err := jobs.Start(nc, s.Solve, jobs.Options{})
		ts.Check(err)
		ts.Defer(func() { j.Stop(context.Background()) })
	}
}

func publishPoison(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Check(connect(ts).Publish(wire.JobSubject("poison"), []byte(strings.Repeat("x\n", wire.MaxPuzzles+1))))
}

func startResponder(ts *testscript.TestScript, _ bool, args []string) {
	failure := &wire.Error{Code: number(ts, args[0]), Text: "as told"}
	nc := connect(ts)
	_, err := nc.Subscribe("sudoku.v1.>", func(m *nats.Msg) {
		nc.PublishMsg(&nats.Msg{Subject: m.Reply, Header: failure.Header()})
	})
	ts.Check(err)
	ts.Check(nc.Flush())
}
