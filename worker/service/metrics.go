package service

import (
	"sudoku/solver"
	"sudoku/solver/wire"
	"sudoku/worker/times"
)

// Metrics are what a [Service] has done since it began, and what it is doing.
type Metrics struct {
	Endpoints []EndpointMetrics // solve, count and all
	Slots     int               // requests answered at a time: Options.Concurrency
	Busy      int               // of Slots, with a request or a background search
	Backlog   int               // puzzles that wait, about
	Room      int               // puzzles that may wait: Options.Backlog
	Panics    uint64            // in a search; each is in the log
}

// EndpointMetrics are what happened on one of the subjects.
type EndpointMetrics struct {
	Name     string
	Requests [outcomes]uint64 // by Outcome
	Rejected [reasons]uint64  // of those, the ones that were not searched, by Reason; 0 at NotRejected
	Puzzles  [statuses]uint64 // answered, by solver.Status
	Wait     times.Histogram  // from the arrival of a request until a worker took it
	Took     times.Histogram  // from then until it was answered
	Lost     uint64           // replies that could not be sent
	Dropped  uint64           // messages that nats.go dropped, as this program was too slow to take them
}

const statuses = int(solver.Invalid) + 1

// An Outcome is how a request ended.
type Outcome uint8

// The outcomes. All but OK are the codes of package wire.
const (
	OK         Outcome = iota
	BadRequest         // 400
	TooLarge           // 413
	Failed             // 500
	Busy               // 503
	TimedOut           // 504
	outcomes   = iota
)

func (o Outcome) String() string {
	return [...]string{"ok", "bad_request", "too_large", "failed", "busy", "timeout"}[o]
}

// outcome returns how a request with this failure, nil for none, ended.
func outcome(failure *wire.Error) Outcome {
	if failure == nil {
		return OK
	}
	switch failure.Code {
	case wire.CodeBadRequest:
		return BadRequest
	case wire.CodeTooLarge:
		return TooLarge
	case wire.CodeBusy:
		return Busy
	case wire.CodeTimeout:
		return TimedOut
	}
	return Failed
}

// A Reason is why a request was rejected without a search.
type Reason uint8

// The reasons.
const (
	NotRejected Reason = iota
	BacklogFull        // too many puzzles waited
	Late               // the requester's time was over when a worker took it
	Malformed          // a body or header that is not as package wire says
	Oversized          // more bytes than wire.MaxBytes
	NoReply            // there was nowhere to send the answer
	reasons     = iota
)

func (r Reason) String() string {
	return [...]string{"", "backlog_full", "late", "malformed", "oversized", "no_reply"}[r]
}

// Metrics returns the numbers at this moment. It is meant to be called now and
// then, and costs a search nothing.
func (s *Service) Metrics() Metrics {
	slots := s.options.Concurrency
	serving := slots - int(s.pool.idle.Load())
	m := Metrics{
		Slots:   slots,
		Busy:    min(serving+int(s.searching.Load()), slots),
		Backlog: int(s.pool.waiting.Load()),
		Room:    s.options.Backlog,
		Panics:  s.panics.Load(),
	}
	for _, e := range s.endpoints {
		m.Endpoints = append(m.Endpoints, e.metrics())
	}
	return m
}
