package jobs

import (
	"context"
	"fmt"

	"sudoku/solver/wire"
)

// An Overview is how much the streams hold, of all jobs together.
type Overview struct {
	Waiting     int // chunks that no worker has
	InHand      int // chunks that workers have
	Redelivered int // of these, those delivered before
	Results     int // messages of SUDOKU_RESULTS
	Dead        int // dead letters
}

// Overview looks at the streams, and at no message in them. The error matches
// jetstream.ErrStreamNotFound or jetstream.ErrConsumerNotFound where there are
// none yet; the others are those of [Client.Setup].
func (c *Client) Overview(ctx context.Context) (Overview, error) {
	workers, err := c.workers(ctx)
	if err != nil {
		return Overview{}, fmt.Errorf("looking at %s: %w", consumerName, err)
	}
	info := workers.CachedInfo()
	o := Overview{Waiting: int(info.NumPending), InHand: info.NumAckPending, Redelivered: info.NumRedelivered}
	for name, n := range map[string]*int{wire.StreamResults: &o.Results, wire.StreamDead: &o.Dead} {
		s, err := c.stream(ctx, name)
		if err != nil {
			return Overview{}, fmt.Errorf("looking at %s: %w", name, err)
		}
		*n = int(s.CachedInfo().State.Msgs)
	}
	return o, nil
}
