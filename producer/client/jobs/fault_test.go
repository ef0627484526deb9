package jobs_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"sudoku/producer/client/jobs"
	"sudoku/solver/wire"
	"sudoku/worker/local/natstest"
)

// Workers are killed, the server is restarted, the submitter and the reader are
// killed and start again: every answer is there once, in its place.
func TestNothingIsLost(t *testing.T) {
	const n = 60_000
	s := natstest.Start(t, natstest.JetStream(t))
	ctx := soon(t)
	if _, err := newClient(t, s).Setup(ctx, jobs.Streams{AckWait: time.Second}); err != nil { // a worker that was killed is missed soon
		t.Fatal(err)
	}
	w := startWorker(t, s)
	startWorker(t, s)

	// A submitter is killed in the middle, twice; the last one survives a restart.
	var submitting sync.WaitGroup
	submitting.Go(func() {
		for _, until := range []int{20_000, 40_000, n} {
			resume(ctx, t, s, "j", n, until)
		}
	})

	// A reader is killed in the middle, twice.
	var got strings.Builder
	read := 0
	for _, until := range []int{15_000, 35_000, n} {
		nc := connect(t, s)
		for a, err := range newClientOn(t, nc).Results(ctx, "j", jobs.Reading{From: read, Follow: true}) {
			if err != nil {
				t.Fatalf("Results after %d answers = %v, want nil", read, err)
			}
			got.WriteString(line(a))
			if read++; read == until {
				break
			}
			if read%20_000 == 0 {
				w.kill()
				w = startWorker(t, s)
			}
			if read%25_000 == 0 {
				s.Restart()
			}
		}
		nc.Close()
	}
	submitting.Wait()
	differ(t, got.String(), answers(0, n))
	again, err := collect(newClient(t, s).Results(ctx, "j", jobs.Reading{}))
	if err != nil || again != got.String() {
		t.Errorf("Results in the end = %d bytes, %v, want the same", len(again), err)
	}
}

// resume submits up to puzzle until and loses its connection then.
func resume(ctx context.Context, t *testing.T, s *natstest.Server, job string, n, until int) {
	nc, err := nats.Connect(s.URL, nats.MaxReconnects(-1), nats.ReconnectWait(10*time.Millisecond), nats.RetryOnFailedConnect(true))
	if err != nil {
		t.Error(err)
		return
	}
	defer nc.Close()
	c, err := jobs.New(nc, jobs.Options{})
	if err != nil {
		t.Error(err)
		return
	}
	i := 0
	m, err := c.Resume(ctx, job, func(yield func(jobs.Puzzle) bool) {
		for p := range puzzles(t, n) {
			if i++; i == until && until < n {
				nc.Close()
			}
			if !yield(p) {
				return
			}
		}
	})
	switch want := (wire.JobManifest{Chunks: (n + 255) / 256, Puzzles: n}); {
	case until < n && !errors.Is(err, nats.ErrConnectionClosed):
		t.Errorf("Resume with a connection that closes = %v, want %v", err, nats.ErrConnectionClosed)
	case until == n && (err != nil || m != want):
		t.Errorf("Resume = %v, %v, want %v", m, err, want)
	}
}

// A job that is resumed is not stored twice, whatever of it is done already, and
// when the server has forgotten the message ids.
func TestResumeDoublesNothing(t *testing.T) {
	const n = 100_000
	for _, working := range []bool{false, true} {
		s := natstest.Start(t, natstest.JetStream(t))
		c := newClient(t, s)
		setUp(t, c)
		forget(t, s)
		ctx := soon(t)
		if working {
			startWorker(t, s)
		}
		for _, until := range []int{30_000, 30_001, 75_000, n, n} {
			resume(ctx, t, s, "j", n, until)
		}
		if working { // chunks that have just been solved count twice
			if _, err := collect(c.Results(ctx, "j", jobs.Reading{Follow: true})); err != nil {
				t.Fatal(err)
			}
		}
		got, err := c.Status(ctx, "j")
		if err != nil {
			t.Fatal(err)
		}
		if stored := map[bool]int{true: got.Done, false: got.Pending}[working]; stored != got.Chunks || got.Puzzles != n {
			t.Errorf("with workers %v: Status = %+v, want %d puzzles, and each chunk once", working, got, n)
		}
	}
}

// forget makes the server forget message ids at once.
func forget(t *testing.T, s *natstest.Server) {
	t.Helper()
	js := jetStream(t, s)
	for _, name := range []string{wire.StreamJobs, wire.StreamResults} {
		stream, err := js.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		config := stream.CachedInfo().Config
		config.Duplicates = 100_000_000 // 100 ms, the least there is
		if _, err := js.UpdateStream(t.Context(), config); err != nil {
			t.Fatal(err)
		}
	}
}

// A submitter to a full stream waits, and goes on when workers have made room.
func TestFullStream(t *testing.T) {
	s := natstest.Start(t, natstest.JetStream(t))
	logs := newWatch("submitting waits")
	nc := connect(t, s)
	c, err := jobs.New(nc, jobs.Options{Logger: logs.logger()})
	if err != nil {
		t.Fatal(err)
	}
	ctx := soon(t)
	if _, err := c.Setup(ctx, jobs.Streams{JobsBytes: 100_000}); err != nil {
		t.Fatal(err)
	}
	submitted := make(chan error)
	go func() {
		_, err := c.Submit(ctx, "j", puzzles(t, 5000))
		submitted <- err
	}()
	<-logs.seen
	startWorker(t, s)
	if err := <-submitted; err != nil {
		t.Errorf("Submit to a full stream = %v, want nil", err)
	}
	got, err := collect(c.Results(ctx, "j", jobs.Reading{Follow: true}))
	if err != nil {
		t.Error(err)
	}
	differ(t, got, answers(0, 5000))
}

// Results that are not kept any more are missed, not waited for.
func TestLostResults(t *testing.T) {
	s := natstest.Start(t, natstest.JetStream(t))
	c := newClient(t, s)
	setUp(t, c)
	startWorker(t, s)
	ctx := soon(t)
	if _, err := c.Submit(ctx, "j", puzzles(t, 1000)); err != nil {
		t.Fatal(err)
	}
	if _, err := collect(c.Results(ctx, "j", jobs.Reading{Follow: true})); err != nil {
		t.Fatal(err)
	}
	stream, err := jetStream(t, s).Stream(ctx, wire.StreamResults)
	if err != nil {
		t.Fatal(err)
	}
	first, err := stream.GetMsg(ctx, 1, jetstream.WithGetMsgSubject(wire.ResultSubject("j"))) // the manifest may be before it
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.DeleteMsg(ctx, first.Sequence); err != nil {
		t.Fatal(err)
	}
	for _, follow := range []bool{false, true} {
		lost := new(jobs.IncompleteError)
		if _, err := collect(c.Results(ctx, "j", jobs.Reading{Follow: follow})); !errors.As(err, &lost) || !lost.Lost {
			t.Errorf("Results with one deleted, follow %v = %v, want lost", follow, err)
		}
	}
}

// Chunks are found whichever of those after them are gone. nats-server 2.15.3 says
// that a subject has no last message when some files of a stream were emptied from
// the last message backwards, with others left that have messages of the subject.
func TestChunksAreFound(t *testing.T) {
	const chunks, left = 1000, 500 // of 20 kB, in files of 8 MB
	s := natstest.Start(t, natstest.JetStream(t))
	c, js, ctx := newClient(t, s), jetStream(t, s), soon(t)
	setUp(t, c)
	if _, err := js.Publish(ctx, wire.ManifestSubject("j"), wire.JobManifest{Chunks: chunks, Puzzles: chunks}.Encode()); err != nil {
		t.Fatal(err)
	}
	for i := range chunks {
		m := &nats.Msg{Subject: wire.JobSubject("j"), Header: wire.Chunk{Numbered: true, Number: i, First: i}.Header(), Data: make([]byte, 20_000)}
		if _, err := js.PublishMsg(ctx, m); err != nil {
			t.Fatal(err)
		}
	}
	stream, err := js.Stream(ctx, wire.StreamJobs)
	if err != nil {
		t.Fatal(err)
	}
	for i := chunks - 1; i >= left; i-- {
		if err := stream.DeleteMsg(ctx, uint64(i)+2); err != nil { // the manifest is 1
			t.Fatal(err)
		}
	}

	stored, err := c.Stored(ctx, "j")
	if err != nil {
		t.Fatal(err)
	}
	for i := range chunks {
		if got, want := stored(i), i < left; got != want {
			t.Fatalf("chunk %d is stored = %v, want %v", i, got, want)
		}
	}
	incomplete := new(jobs.IncompleteError)
	if _, err := collect(c.Results(ctx, "j", jobs.Reading{})); !errors.As(err, &incomplete) || incomplete.Lost {
		t.Errorf("Results = %v, want an incomplete job of which nothing is lost", err)
	}
}
