package metrics_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"sudoku/worker/local/natstest"
	"sudoku/worker/metrics"
)

// What is dropped is counted for subscriptions of each kind, and stays counted when
// they have gone. The connection's own error handler is told as before.
func TestDropped(t *testing.T) {
	slow := make(chan error, 10)
	nc, err := nats.Connect(natstest.Start(t, "").URL, nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { slow <- err }))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	c := metrics.Connection("requests", nc)
	want := func(n int) {
		t.Helper()
		text := fmt.Sprintf("# HELP sudoku_messages_dropped_total Messages of all subscriptions dropped because the process was too slow to take them (slow consumer).\n"+
			"# TYPE sudoku_messages_dropped_total counter\nsudoku_messages_dropped_total{connection=\"requests\"} %d\n", n)
		if err := testutil.CollectAndCompare(c, strings.NewReader(text), "sudoku_messages_dropped_total"); err != nil {
			t.Error(err)
		}
	}
	want(0)
	const capacity, sent = 2, 10
	block := make(chan struct{})
	total := 0
	for name, subscribe := range map[string]func(subject string) (*nats.Subscription, error){
		"channel": func(subject string) (*nats.Subscription, error) {
			return nc.ChanSubscribe(subject, make(chan *nats.Msg, capacity))
		},
		"synchronous": nc.SubscribeSync,
		"queue": func(subject string) (*nats.Subscription, error) {
			return nc.QueueSubscribe(subject, "q", func(*nats.Msg) { <-block })
		},
	} {
		sub, err := subscribe(name)
		if err != nil {
			t.Fatal(err)
		}
		if name != "channel" {
			if err := sub.SetPendingLimits(capacity, 1<<20); err != nil {
				t.Fatal(err)
			}
		}
		for range sent {
			if err := nc.Publish(name, nil); err != nil {
				t.Fatal(err)
			}
		}
		if err := nc.Flush(); err != nil { // all have come back
			t.Fatal(err)
		}
		if err := <-slow; !errors.Is(err, nats.ErrSlowConsumer) {
			t.Errorf("%s: error handler got %v, want %v", name, err, nats.ErrSlowConsumer)
		}
		n, err := sub.Dropped()
		if err != nil || n < sent-capacity-1 {
			t.Errorf("%s: %d dropped, %v, want about %d", name, n, err, sent-capacity)
		}
		total += n
		want(total)
		if err := sub.Unsubscribe(); err != nil {
			t.Fatal(err)
		}
		want(total)
	}
	close(block)
}
