package service

import (
	"bytes"
	"fmt"
	"maps"

	"github.com/nats-io/nats.go"

	"sudoku/solver/wire"
)

// A reply is the last or only message that answers a request.
type reply struct {
	body    []byte
	header  nats.Header // beside those that say failure
	failure *wire.Error // nil if there is none

	rejected Reason // with a failure: why there was no search
}

func failed(code int, format string, args ...any) reply {
	return reply{failure: &wire.Error{Code: code, Text: fmt.Sprintf(format, args...)}}
}

// rejected returns the reply to a request that is not searched.
func rejected(why Reason, code int, format string, args ...any) reply {
	a := failed(code, format, args...)
	a.rejected = why
	return a
}

// message returns a as the answer to r.
func (a reply) message(r request) *nats.Msg {
	m := &nats.Msg{Subject: r.Reply, Data: a.body, Header: a.header}
	if a.failure != nil {
		m.Header = a.failure.Header()
		maps.Copy(m.Header, a.header)
	}
	return m
}

// headerRoom is more than the headers of any reply take.
const headerRoom = 512

// fit returns a, or that it is too large where the server would not take it: it
// would close the connection.
func (s *Service) fit(a reply) reply {
	most := max(int(s.nc.MaxPayload())-headerRoom, 0)
	if len(a.body) <= most {
		return a
	}
	puzzles := bytes.Count(a.body[:most], []byte("\n"))
	return failed(wire.CodeTooLarge, "reply of %d bytes, the server takes %d: send %d puzzles at most", len(a.body), most, puzzles)
}

// send publishes a as the answer to r, or does nothing where nobody waits for
// it. An error is counted, but is none to wake people for: the connection is
// away, which is known, or the requester has an impossible reply subject.
func (s *Service) send(r request, a reply) error {
	var err error
	switch {
	case r.Reply == "":
	case a.header == nil && a.failure == nil:
		err = s.nc.Publish(r.Reply, a.body) // as PublishMsg, but it allocates nothing
	default:
		err = s.nc.PublishMsg(a.message(r))
	}
	if err != nil {
		err = fmt.Errorf("replying: %w", err)
		r.endpoint.accounts.recordLost(err)
		s.log.Debug("reply lost", "subject", r.Subject, "error", err)
	}
	return err
}
