package service

import (
	"time"

	"github.com/nats-io/nats.go"
)

// A request is a message that has arrived on an endpoint.
type request struct {
	*nats.Msg
	endpoint *endpoint
	at       time.Time     // when it arrived; only set if it has headers, such as one with a time limit
	alone    bool          // not to be solved together with others
	spent    time.Duration // by a worker so far
}

func newRequest(e *endpoint, m *nats.Msg) request {
	r := request{Msg: m, endpoint: e}
	r.alone = !e.together || r.puzzles() > maxJoining
	if len(m.Header) > 0 {
		r.at = time.Now()
	}
	return r
}

// puzzles returns about how many puzzles r has, at least 1: its share of the
// backlog.
func (r request) puzzles() int64 { return max(1, int64(len(r.Data)+solutionLine-1)/solutionLine) }
