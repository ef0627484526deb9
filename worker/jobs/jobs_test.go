package jobs_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	client "sudoku/producer/client/jobs"
	"sudoku/solver"
	"sudoku/solver/wire"
	"sudoku/worker/jobs"
	"sudoku/worker/local/natstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The example of Wikipedia's article on Sudoku.
const easy = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"

// patience is how long a test waits for what must come.
const patience = 3 * time.Minute

func soon(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

func connect(t *testing.T, s *natstest.Server, o ...nats.Option) *nats.Conn {
	t.Helper()
	o = append([]nats.Option{nats.MaxReconnects(-1), nats.ReconnectWait(10 * time.Millisecond)}, o...)
	nc, err := nats.Connect(s.URL, o...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

// setUp starts a server with the streams.
func setUp(t *testing.T) (*natstest.Server, *nats.Conn) {
	t.Helper()
	s := natstest.Start(t, natstest.JetStream(t))
	nc := connect(t, s)
	makeStreams(t, nc)
	return s, nc
}

func makeStreams(t *testing.T, nc *nats.Conn) {
	t.Helper()
	c, err := client.New(nc, client.Options{})
	if err == nil {
		_, err = c.Setup(t.Context(), client.Streams{})
	}
	if err != nil {
		t.Fatal(err)
	}
}

func start(t *testing.T, nc *nats.Conn, solve jobs.SolveFunc, o jobs.Options) *jobs.Jobs {
	t.Helper()
	j, err := jobs.Start(nc, solve, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Stop(context.Background()) })
	return j
}

// publish publishes n chunks of one puzzle.
func publish(t *testing.T, nc *nats.Conn, n int) {
	t.Helper()
	for range n {
		if err := nc.Publish(wire.JobSubject("j"), []byte(easy)); err != nil {
			t.Fatal(err)
		}
	}
	if err := nc.Flush(); err != nil {
		t.Fatal(err)
	}
}

// results returns a subscription to the answers of the job.
func results(t *testing.T, nc *nats.Conn) *nats.Subscription {
	t.Helper()
	return subscribe(t, nc, wire.ResultSubject("j"))
}

func subscribe(t *testing.T, nc *nats.Conn, subject string) *nats.Subscription {
	t.Helper()
	sub, err := nc.SubscribeSync(subject)
	if err == nil {
		err = nc.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	return sub
}

func await(t *testing.T, sub *nats.Subscription) *nats.Msg {
	t.Helper()
	m, err := sub.NextMsgWithContext(soon(t))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func batch(ctx context.Context, dst []solver.Result, src []solver.Grid) error {
	solver.SolveBatch(ctx, dst, src)
	return nil
}

func jetStream(t *testing.T, nc *nats.Conn) jetstream.JetStream {
	t.Helper()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

// deleteResults has no answers stored until makeStreams.
func deleteResults(t *testing.T, nc *nats.Conn) {
	t.Helper()
	if err := jetStream(t, nc).DeleteStream(soon(t), wire.StreamResults); err != nil {
		t.Fatal(err)
	}
}

// awaitConsumer returns when the server says of the workers' consumer what is wanted.
func awaitConsumer(t *testing.T, nc *nats.Conn, wanted func(*jetstream.ConsumerInfo) bool) {
	t.Helper()
	ctx := soon(t)
	c, err := jetStream(t, nc).Consumer(ctx, wire.StreamJobs, wire.ConsumerJobs)
	for err == nil && !wanted(c.CachedInfo()) {
		_, err = c.Info(ctx)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestResult(t *testing.T) {
	_, nc := setUp(t)
	sub := results(t, nc)
	start(t, nc, batch, jobs.Options{})
	chunk := wire.Chunk{Numbered: true, Number: 3, First: 768}
	body := easy + "\tnote\r\nx\n"
	if err := nc.PublishMsg(&nats.Msg{Subject: wire.JobSubject("j"), Header: chunk.Header(), Data: []byte(body)}); err != nil {
		t.Fatal(err)
	}
	m := await(t, sub)
	const want = "534678912672195348198342567859761423426853791713924856961537284287419635345286179 unique\t" +
		easy + "\tnote\ninvalid 1 characters, want 81\tx\n"
	if got := string(m.Data); got != want {
		t.Errorf("result = %q, want %q", got, want)
	}
	if got, err := wire.ParseChunk(m.Header, 0); err != nil || got != chunk || m.Header.Get(wire.HeaderPuzzles) != "2" || m.Header.Get(wire.HeaderMsgID) != "j/3" {
		t.Errorf("headers of the result are %v, want those of %v", m.Header, chunk)
	}
}

// A worker that starts before there are streams finds them when they are made.
func TestStreamsComeLater(t *testing.T) {
	s := natstest.Start(t, natstest.JetStream(t))
	nc := connect(t, s)
	start(t, nc, batch, jobs.Options{})
	makeStreams(t, nc)
	sub := results(t, nc)
	publish(t, nc, 1)
	await(t, sub)
}

// A gate is a search that begins, and goes on when the test says so.
type gate struct {
	entered chan struct{}
	open    chan struct{}
}

func newGate() *gate { return &gate{make(chan struct{}, 1000), make(chan struct{})} }

func (g *gate) solve(ctx context.Context, dst []solver.Result, src []solver.Grid) error {
	g.entered <- struct{}{}
	select {
	case <-g.open:
		return batch(ctx, dst, src)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Stop finishes what is begun and hands back the rest, so that others have it at
// once: within much less than the time after which a worker is missed.
func TestStopHandsBack(t *testing.T) {
	_, nc := setUp(t)
	sub := results(t, nc)
	g := newGate()
	j := start(t, nc, g.solve, jobs.Options{Concurrency: 1})
	publish(t, nc, 10)
	for range 2 { // as many as are solved at a time
		<-g.entered
	}
	stopped := make(chan error)
	go func() { stopped <- j.Stop(t.Context()) }()
	start(t, nc, batch, jobs.Options{})
	for range 8 {
		await(t, sub)
	}
	close(g.open)
	for range 2 {
		await(t, sub)
	}
	if err := <-stopped; err != nil {
		t.Errorf("Stop = %v, want nil", err)
	}
	// The server takes note of acknowledgements some time after it has received them.
	awaitConsumer(t, nc, func(c *jetstream.ConsumerInfo) bool { return c.NumAckPending == 0 })
}

// Stop that is cut short hands back what is begun, too.
func TestStopCutShort(t *testing.T) {
	_, nc := setUp(t)
	sub := results(t, nc)
	g := newGate()
	j := start(t, nc, g.solve, jobs.Options{Concurrency: 1})
	publish(t, nc, 3)
	<-g.entered
	hurry, cancel := context.WithCancelCause(t.Context())
	why := errors.New("hurry")
	cancel(why)
	for range 2 {
		if err := j.Stop(hurry); !errors.Is(err, why) {
			t.Errorf("Stop = %v, want %v", err, why)
		}
	}
	start(t, nc, batch, jobs.Options{})
	for range 3 {
		await(t, sub)
	}
}

// The server is told that a chunk is still being worked on.
func TestKeepAlive(t *testing.T) {
	_, nc := setUp(t)
	acknowledged := subscribe(t, nc, "$JS.ACK."+wire.StreamJobs+".>")
	g := newGate()
	start(t, nc, g.solve, jobs.Options{})
	publish(t, nc, 1)
	<-g.entered
	for _, want := range []string{"+WPI", "+WPI"} {
		if got := string(await(t, acknowledged).Data); got != want {
			t.Fatalf("acknowledgement while a chunk is solved is %q, want %q", got, want)
		}
	}
	close(g.open)
	for string(await(t, acknowledged).Data) != "+ACK" {
	}
}

// A search that fails is tried again, with the number of the delivery to see.
func TestFailureIsTriedAgain(t *testing.T) {
	_, nc := setUp(t)
	sub := results(t, nc)
	var tries atomic.Int32
	start(t, nc, func(ctx context.Context, dst []solver.Result, src []solver.Grid) error {
		if tries.Add(1) < 3 {
			return errors.New("on purpose")
		}
		return batch(ctx, dst, src)
	}, jobs.Options{Backoff: []time.Duration{1, 1}})
	publish(t, nc, 1)
	await(t, sub)
	if n := tries.Load(); n != 3 {
		t.Errorf("the search ran %d times, want 3", n)
	}
}

// Answers that cannot be stored are held until they can, and not solved again.
func TestResultsAreHeld(t *testing.T) {
	_, nc := setUp(t)
	deleteResults(t, nc)
	var solved atomic.Int32
	start(t, nc, func(ctx context.Context, dst []solver.Result, src []solver.Grid) error {
		solved.Add(1)
		return batch(ctx, dst, src)
	}, jobs.Options{})
	tried, acknowledged := results(t, nc), subscribe(t, nc, "$JS.ACK."+wire.StreamJobs+".>")
	publish(t, nc, 1)
	await(t, tried)
	makeStreams(t, nc)
	for string(await(t, acknowledged).Data) != "+ACK" {
	}
	if n := solved.Load(); n != 1 {
		t.Errorf("solved %d times, want 1", n)
	}
}

// A worker that is slow keeps no more than it has places for from another one,
// which does the rest meanwhile.
func TestWorkersShare(t *testing.T) {
	s, nc := setUp(t)
	const chunks, places = 400, 4
	sub := results(t, nc)
	g := newGate()
	slow := start(t, connect(t, s), g.solve, jobs.Options{Concurrency: 1})
	publish(t, nc, chunks)
	for range 2 { // as many as are solved at a time
		<-g.entered
	}
	start(t, connect(t, s), batch, jobs.Options{Concurrency: 1})
	for range chunks - places {
		await(t, sub)
	}
	if m := slow.Metrics(); m.InHand > places {
		t.Errorf("the slow worker has %d in hand, want %d", m.InHand, places)
	}
	close(g.open)
	for range places {
		await(t, sub)
	}
}

// Of equal work no worker does much more than the other.
func TestWorkersAreFair(t *testing.T) {
	s, nc := setUp(t)
	const chunks = 400
	var solved [2]atomic.Int32
	for i := range solved {
		start(t, connect(t, s), func(ctx context.Context, dst []solver.Result, src []solver.Grid) error {
			solved[i].Add(1)
			<-time.After(time.Millisecond) // the work
			return batch(ctx, dst, src)
		}, jobs.Options{Concurrency: 1})
	}
	awaitConsumer(t, nc, func(c *jetstream.ConsumerInfo) bool { return c.NumWaiting >= len(solved) }) // all ask for chunks
	sub := results(t, nc)
	publish(t, nc, chunks)
	for range chunks {
		await(t, sub)
	}
	for i := range solved {
		if n := solved[i].Load(); n > chunks*7/10 {
			t.Errorf("worker %d does %d of %d chunks", i, n, chunks)
		}
	}
}

// While answers are being stored a worker goes on with other chunks, up to a limit.
func TestStoringNeedsNoPlace(t *testing.T) {
	_, nc := setUp(t)
	deleteResults(t, nc)
	solved := make(chan bool, 100)
	j := start(t, nc, func(ctx context.Context, dst []solver.Result, src []solver.Grid) error {
		solved <- true
		return batch(ctx, dst, src)
	}, jobs.Options{Concurrency: 1})
	publish(t, nc, cap(solved))
	const inHand = 12
	for range inHand {
		<-solved
	}
	if m := j.Metrics(); m.InHand != inHand || m.MostInHand != inHand || len(solved) > 0 {
		t.Errorf("%d of %d chunks in hand and %d solved beside them, want %d", m.InHand, m.MostInHand, len(solved), inHand)
	}
	makeStreams(t, nc)
	for range cap(solved) - inHand {
		<-solved
	}
}

// Stop does not wait for answers that cannot be stored. Others do the work again,
// and store them when they can.
func TestStopWhereNothingIsStored(t *testing.T) {
	_, nc := setUp(t)
	deleteResults(t, nc)
	sub := results(t, nc)
	j := start(t, nc, batch, jobs.Options{})
	publish(t, nc, 1)
	await(t, sub) // the first try
	if err := j.Stop(t.Context()); err != nil {
		t.Errorf("Stop = %v, want nil", err)
	}
	if n := j.Metrics().Deliveries[jobs.HandedBack]; n != 1 {
		t.Errorf("%d deliveries are handed back, want 1", n)
	}
	makeStreams(t, nc)
	start(t, nc, batch, jobs.Options{})
	c, err := client.New(nc, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for {
		status, err := c.Status(soon(t), "j")
		if err != nil {
			t.Fatal(err)
		}
		if status.Done == 1 {
			return
		}
	}
}

func TestStartErrors(t *testing.T) {
	s := natstest.Start(t, "")
	nc := connect(t, s)
	if _, err := jobs.Start(nc, batch, jobs.Options{Concurrency: -1}); err == nil || !strings.Contains(err.Error(), strconv.Itoa(-1)) {
		t.Errorf("Start with concurrency -1 = %v, want an error that says so", err)
	}
	nc.Close()
	if _, err := jobs.Start(nc, batch, jobs.Options{}); !errors.Is(err, nats.ErrConnectionClosed) {
		t.Errorf("Start on a closed connection = %v, want %v", err, nats.ErrConnectionClosed)
	}
}
