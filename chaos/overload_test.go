package chaos

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"sudoku/solver/wire"
	"sudoku/worker/service"
)

// A worker that gets twice as many requests as it can answer refuses what is too
// much, and is silent to nobody.
func TestOverload(t *testing.T) {
	const requests, atFirst, puzzlesEach = 10_000, 8, 16
	s := newServer(t)
	w, err := service.Start(dial(t, s), service.Options{Concurrency: 1, Backlog: 64 * puzzlesEach})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Stop(t.Context()) })

	nc := dial(t, s)
	inbox := nc.NewInbox() + "."
	replies := make(chan *nats.Msg, 2*requests)
	if _, err := nc.ChanSubscribe(inbox+"*", replies); err != nil {
		t.Fatal(err)
	}
	question, answer := ask(puzzlesEach)
	sent := 0
	send := func(n int) {
		for range min(n, requests-sent) {
			if err := nc.PublishRequest(wire.SubjectSolve, inbox+strconv.Itoa(sent), question); err != nil {
				t.Fatal(err)
			}
			sent++
		}
	}

	// To send two requests for each that is answered is to send twice as many as
	// can be, however fast the machine is.
	send(atFirst)
	answered, refused := 0, 0
	for seen := map[string]bool{}; len(seen) < requests; {
		m := receive(t, replies)
		if seen[m.Subject] {
			t.Fatalf("a second reply to request %s", strings.TrimPrefix(m.Subject, inbox))
		}
		seen[m.Subject] = true
		switch failure := wire.ParseError(m.Header); {
		case failure == nil && string(m.Data) == answer:
			answered++
			send(2)
		case failure != nil && failure.Code == wire.CodeBusy && failure.RetryAfter > 0 && len(m.Data) == 0:
			refused++
		default:
			t.Fatalf("reply %v %q, want the answers, or that the worker is busy", m.Header, m.Data)
		}
		if len(seen) == sent { // all refused at once
			send(atFirst)
		}
	}
	t.Logf("%d requests at twice the capacity: %d answered, %d refused as busy, 0 silent", requests, answered, refused)
	if refused == 0 {
		t.Errorf("no request was refused, want about half of them")
	}
}

// dial returns a connection to s that the test closes.
func dial(t *testing.T, s *server) *nats.Conn {
	t.Helper()
	nc, err := nats.Connect(s.url())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

// ask returns a request of n puzzles and the reply to it.
func ask(n int) (question []byte, answer string) {
	r := source(1, "question")
	for i := range n {
		k := originals[i%len(originals)].disguise(r)
		question = wire.AppendPuzzle(question, k.puzzle)
		answer += k.solution.String() + " unique\n"
	}
	return question, answer
}

func receive(t *testing.T, replies <-chan *nats.Msg) *nats.Msg {
	t.Helper()
	select {
	case m := <-replies:
		return m
	case <-time.After(patience):
		t.Fatal("a request was not answered")
		return nil
	}
}
