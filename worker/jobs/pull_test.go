package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	client "sudoku/producer/client/jobs"
	"sudoku/solver"
	"sudoku/solver/wire"
	"sudoku/worker/local/natstest"
)

// flood publishes more to the inbox of p than its channel takes, none of which is
// anything. It returns how many are too much.
func flood(t *testing.T, nc *nats.Conn, p *puller) int {
	t.Helper()
	const more = 10
	for range cap(p.messages) + more {
		if err := nc.Publish(p.inbox+"nothing", nil); err != nil {
			t.Fatal(err)
		}
	}
	return more
}

// awaitDropped waits until p has dropped n messages.
func awaitDropped(t *testing.T, p *puller, n int) {
	t.Helper()
	for {
		got, err := p.sub.Dropped()
		if err != nil {
			t.Fatal(err)
		}
		if got >= n {
			return
		}
	}
}

func dial(t *testing.T, s *natstest.Server, o ...nats.Option) *nats.Conn {
	t.Helper()
	nc, err := nats.Connect(s.URL, o...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

func oneSlot() int { return 1 }

// silent keeps nats.go from writing to standard error what it should drop.
var silent = nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})

// What was asked for counts as lost when messages were dropped: once.
func TestNoticeDropped(t *testing.T) {
	nc := dial(t, natstest.Start(t, ""), silent)
	p, err := newPuller(nc, slog.New(slog.DiscardHandler), inHandPerSlot, oneSlot)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.RemoveStatusListener(p.status)
	asked := [2]int{2, 1}
	p.asked = asked
	if p.notice(); p.asked != asked {
		t.Errorf("%d asked for and nothing dropped, want %d", p.asked, asked)
	}
	awaitDropped(t, p, flood(t, nc, p))
	if p.notice(); p.asked != [2]int{} || p.generation != 2 {
		t.Errorf("%d asked for in generation %d after messages were dropped, want none, 2", p.asked, p.generation)
	}
	p.asked = asked
	if p.notice(); p.asked != asked || p.generation != 2 {
		t.Errorf("%d asked for in generation %d with no further ones dropped, want %d, 2", p.asked, p.generation, asked)
	}
}

// Chunks that were dropped come again, and are answered.
func TestSlowConsumer(t *testing.T) {
	const chunks = 4 // as many as a worker of one slot asks for
	s := natstest.Start(t, natstest.JetStream(t))
	nc := dial(t, s)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c, err := client.New(nc, client.Options{})
	if err == nil {
		_, err = c.Setup(ctx, client.Streams{AckWait: time.Second})
	}
	if err != nil {
		t.Fatal(err)
	}
	asked, err := nc.SubscribeSync(subjectNext)
	if err == nil {
		err = nc.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	slow := make(chan error, 1)
	solve := func(ctx context.Context, dst []solver.Result, src []solver.Grid) error {
		solver.SolveBatch(ctx, dst, src)
		return nil
	}
	j, err := Start(dial(t, s, nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { slow <- err })), solve, Options{Concurrency: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Stop(context.Background())
	if _, err := asked.NextMsgWithContext(ctx); err != nil {
		t.Fatal(err)
	}

	j.pull.mu.Lock() // which the puller waits for with the first message it gets
	dropped := flood(t, nc, j.pull) - 1
	awaitDropped(t, j.pull, dropped)
	if err := <-slow; !errors.Is(err, nats.ErrSlowConsumer) {
		t.Errorf("error handler got %v, want %v", err, nats.ErrSlowConsumer)
	}
	for range chunks {
		if err := nc.Publish(wire.JobSubject("j"), make([]byte, 81)); err != nil {
			t.Fatal(err)
		}
	}
	awaitDropped(t, j.pull, dropped+chunks)
	j.pull.mu.Unlock()

	for {
		status, err := c.Status(ctx, "j")
		if err != nil {
			t.Fatal(err)
		}
		if status.Done == chunks {
			break
		}
	}
	if m := j.Metrics(); m.Redeliveries == 0 {
		t.Errorf("no redeliveries, want some of %d", chunks)
	}
}

// A server that says nothing, as the test has it: there are requests, and no
// JetStream.
func silentServer(t *testing.T) (p *puller, request func() (batch int)) {
	t.Helper()
	s := natstest.Start(t, "")
	nc := dial(t, s)
	sub, err := nc.SubscribeSync(subjectNext)
	if err == nil {
		err = nc.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	if p, err = newPuller(dial(t, s), slog.New(slog.DiscardHandler), inHandPerSlot, oneSlot); err != nil {
		t.Fatal(err)
	}
	return p, func() int {
		t.Helper()
		m, err := sub.NextMsg(time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		var body struct {
			Batch   int           `json:"batch"`
			Expires time.Duration `json:"expires"`
		}
		if err := json.Unmarshal(m.Data, &body); err != nil {
			t.Fatal(err)
		}
		if body.Expires <= 0 || body.Expires >= turn {
			t.Errorf("a request expires after %v, want before %v", body.Expires, turn)
		}
		return body.Batch
	}
}

// Requests that get lost are made again.
func TestLostRequests(t *testing.T) {
	const most = placesPerSlot
	p, request := silentServer(t)
	p.turn = time.Millisecond
	ctx, cancel := context.WithCancel(t.Context())
	var run sync.WaitGroup
	run.Go(func() { p.run(ctx, func(*nats.Msg) {}) })
	for range 3 {
		if batch := request(); batch != most {
			t.Errorf("a request for %d chunks, want %d", batch, most)
		}
	}
	cancel()
	run.Wait()
}

// So is what is left of those that get lost while others are served or end, after a
// turn and not before; what the server says later about the lost ones is not for
// those that took their place.
func TestPartlyLostRequests(t *testing.T) {
	const most = placesPerSlot
	for served := range most {
		p, request := silentServer(t)
		defer p.nc.RemoveStatusListener(p.status)
		ask := func(want int) {
			t.Helper()
			if p.ask(); want == 0 {
				return
			}
			if batch := request(); batch != want {
				t.Errorf("%d served: a request for %d chunks, want %d", served, batch, want)
			}
		}
		expired := func(generation int) *nats.Msg {
			return &nats.Msg{
				Subject: p.inbox + strconv.Itoa(generation),
				Header:  nats.Header{"Status": {"408"}, "Nats-Pending-Messages": {strconv.Itoa(most - served)}},
			}
		}
		ask(most)
		for range served {
			p.receive(&nats.Msg{Reply: "$JS.ACK."}, func(*nats.Msg) {})
		}
		p.age()
		ask(0)
		if want := [2]int{0, most - served}; p.asked != want {
			t.Errorf("%d served: after a turn %d are asked for, want %d", served, p.asked, want)
		}
		p.age()
		ask(most - served)
		p.receive(expired(0), nil)
		if want := [2]int{most - served, 0}; p.asked != want {
			t.Errorf("%d served: after a late word %d are asked for, want %d", served, p.asked, want)
		}
		p.receive(expired(2), nil)
		ask(most - served)
	}
}

// Requests of puzzles take the places of their slots, but for a few.
func TestPlaces(t *testing.T) {
	for _, tt := range []struct{ slots, places, most int }{
		{0, leastPlaces, leastPlaces},
		{1, placesPerSlot, inHandPerSlot},
		{3, 3 * placesPerSlot, 3 * inHandPerSlot},
	} {
		p := &puller{slots: func() int { return tt.slots }, freed: make(chan struct{}, 1), inHand: map[*nats.Msg]bool{}}
		var all []*nats.Msg
		for p.free() > 0 {
			m := new(nats.Msg)
			p.hold(m)
			all = append(all, m)
		}
		if len(all) != tt.places {
			t.Errorf("%d slots: %d places, want %d", tt.slots, len(all), tt.places)
		}
		for p.free() > 0 || p.taken > 0 { // all are solved, and none is dropped
			if p.taken == 0 {
				m := new(nats.Msg)
				p.hold(m)
				all = append(all, m)
			}
			for _, m := range all {
				p.vacate(m)
			}
		}
		if p.held() != tt.most {
			t.Errorf("%d slots: %d in hand, want %d", tt.slots, p.held(), tt.most)
		}
		for _, m := range all {
			p.drop(m)
		}
		if n := p.free(); n != tt.places {
			t.Errorf("%d slots: %d places are free at the end, want %d", tt.slots, n, tt.places)
		}
	}
}
