package jobs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"sudoku/solver/wire"
)

// Waits between the tries to store a message.
const (
	minWait = 100 * time.Millisecond
	maxWait = 5 * time.Second
)

// ackTimeout is how long a try waits for JetStream.
const ackTimeout = 2 * time.Second

// store publishes m under an id, and returns when JetStream has stored it. It
// tries until the worker stops: the work is done, and whoever does it again cannot
// store it either. Then it tries once more. The error is errStopping, or one of code
// 413 where the server does not take a message of this size.
func (j *Jobs) store(m *nats.Msg, id string) error {
	m.Header.Set(wire.HeaderMsgID, id)
	for wait := minWait; ; wait = min(2*wait, maxWait) {
		last := j.stopping.Err() != nil
		err := j.publish(m)
		switch {
		case err == nil:
			return nil
		case tooLarge(err):
			return &wire.Error{Code: wire.CodeTooLarge, Text: fmt.Sprintf("answers of %d bytes to %d puzzles, the server does not take that: send fewer",
				len(m.Data), bytes.Count(m.Data, []byte("\n")))}
		case last, j.ctx.Err() != nil, errors.Is(err, nats.ErrConnectionClosed):
			return errStopping
		}
		j.log.Warn("storing is tried again", "subject", m.Subject, "in", wait, "error", err)
		select {
		case <-time.After(wait):
		case <-j.stopping.Done():
		}
	}
}

// publish returns when JetStream has stored m, or why it has not. (PublishMsg of
// nats.go decodes each acknowledgement, in a quarter of the time that an easy chunk
// is solved in.)
func (j *Jobs) publish(m *nats.Msg) error {
	ctx, cancel := context.WithTimeout(j.ctx, ackTimeout)
	defer cancel()
	ack, err := j.nc.RequestMsgWithContext(ctx, m)
	if err != nil || bytes.HasPrefix(ack.Data, []byte(`{"stream":`)) {
		return err
	}
	var refusal struct {
		Error *jetstream.APIError `json:"error"`
	}
	if err := json.Unmarshal(ack.Data, &refusal); err != nil || refusal.Error == nil {
		return fmt.Errorf("%q is no acknowledgement of JetStream", ack.Data)
	}
	return refusal.Error
}

// What the JetStream API says of a message above the limit of a stream, and of
// headers of more than 64 kB.
const (
	codeTooLarge       = 10054
	codeHeaderTooLarge = 10097
)

func tooLarge(err error) bool {
	api := new(jetstream.APIError)
	return errors.Is(err, nats.ErrMaxPayload) || errors.As(err, &api) && (api.ErrorCode == codeTooLarge || api.ErrorCode == codeHeaderTooLarge)
}
