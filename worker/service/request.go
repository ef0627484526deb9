package service

import (
	"time"

	"github.com/nats-io/nats.go"
)

// A request is a message that has arrived on an endpoint.
type request struct {
	*nats.Msg
	endpoint *endpoint
	at       time.Duration // when it arrived, by now
	alone    bool          // not to be solved together with others
	spent    time.Duration // by a worker so far
}

// epoch is when the process began.
var epoch = time.Now()

// now is the time since epoch. To read the clock takes half as long as with
// time.Now, some 40 ns; under load a request takes a worker 1 µs.
func now() time.Duration { return time.Since(epoch) }

func newRequest(e *endpoint, m *nats.Msg) request {
	r := request{Msg: m, endpoint: e, at: now()}
	r.alone = !e.together || r.puzzles() > maxJoining
	return r
}

// puzzles returns about how many puzzles r has, at least 1: its share of the
// backlog.
func (r request) puzzles() int64 { return max(1, int64(len(r.Data)+solutionLine-1)/solutionLine) }
