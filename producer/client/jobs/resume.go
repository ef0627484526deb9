package jobs

import (
	"context"
	"errors"
	"fmt"
	"sort"

	"github.com/nats-io/nats.go/jetstream"

	"sudoku/solver/wire"
)

// stored returns which chunks of an incomplete job JetStream has taken. Chunk n
// was sent only when chunk n-mostWindow was stored, so the last one that waits in
// SUDOKU_JOBS leaves few in doubt, and these are looked for. Chunks leave
// SUDOKU_JOBS when their results are stored, so the order is this: first what
// waits, then the results.
func (c *Client) stored(ctx context.Context, job string) (func(chunk int) bool, error) {
	sure, waiting, err := c.waiting(ctx, job)
	if err != nil {
		return nil, err
	}
	done, err := c.done(ctx, job)
	if err != nil {
		return nil, err
	}
	return func(chunk int) bool { return chunk < sure || waiting[chunk] || done.has(chunk) }, nil
}

// waiting looks into SUDOKU_JOBS: the chunks below sure were stored some time, and
// so were those in the map.
func (c *Client) waiting(ctx context.Context, job string) (sure int, waiting map[int]bool, err error) {
	waiting = map[int]bool{}
	subject := wire.JobSubject(job)
	last, err := c.last(ctx, wire.StreamJobs, subject)
	if err != nil {
		return 0, waiting, err
	}
	at := uint64(1) // without a last message there may be some all the same, see judge
	if last != nil {
		newest, err := number(last)
		if err != nil {
			return 0, waiting, err
		}
		// Two messages of a job stand at most mostWindow chunks out of order.
		if at, err = c.search(ctx, subject, last.sequence, newest-3*mostWindow); err != nil {
			return 0, waiting, err
		}
		sure = newest - mostWindow + 1
	}
	for err == nil {
		var m *message
		if m, err = c.next(ctx, wire.StreamJobs, subject, at); m == nil {
			break
		}
		var n int
		if n, err = number(m); err == nil {
			waiting[n] = true
		}
		at = m.sequence + 1
	}
	return sure, waiting, err
}

// search returns a sequence up to last from which on the messages of a subject
// have numbers above n, but for those out of order.
func (c *Client) search(ctx context.Context, subject string, last uint64, n int) (uint64, error) {
	var failed error
	at := sort.Search(int(last), func(sequence int) bool {
		if failed != nil {
			return true
		}
		m, err := c.next(ctx, wire.StreamJobs, subject, uint64(sequence))
		if err != nil || m == nil {
			failed = err
			return true
		}
		got, err := number(m)
		failed = err
		return got > n
	})
	return uint64(at), failed
}

func number(m *message) (int, error) {
	chunk, err := wire.ParseChunk(m.header, m.sequence)
	if err == nil && !chunk.Numbered {
		err = fmt.Errorf("%s: a chunk without a number, such a job cannot be resumed", m.subject)
	}
	return chunk.Number, err
}

// done looks into SUDOKU_RESULTS.
func (c *Client) done(ctx context.Context, job string) (set, error) {
	var done set
	t := c.results(job, true, 1)
	defer t.close()
	err := t.open(ctx)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return nil, nil
	}
	for err == nil && t.pending > 0 {
		var m message
		if m, err = t.next(ctx); err == nil {
			if chunk, place := placeOf(m); place {
				done.add(chunk.Number)
			}
		}
	}
	return done, err
}

// placeOf returns the numbered chunk that m is about, if it is about one.
func placeOf(m message) (chunk wire.Chunk, ok bool) {
	if _, kind := wire.ParseSubject(m.subject); kind != wire.Answers && kind != wire.Failed {
		return wire.Chunk{}, false
	}
	chunk, err := wire.ParseChunk(m.header, m.sequence)
	return chunk, err == nil && chunk.Numbered
}

// A set of whole numbers from 0 has n where bit n%64 of word n/64 is 1.
type set []uint64

func (s *set) add(n int) {
	for len(*s) <= n/64 {
		*s = append(*s, 0)
	}
	(*s)[n/64] |= 1 << (n % 64)
}

func (s set) has(n int) bool { return n/64 < len(s) && s[n/64]&(1<<(n%64)) != 0 }
