package client

import (
	"context"
	"iter"
	"slices"
	"sync"
	"time"

	"sudoku/solver"
	"sudoku/solver/wire"
)

// Answer is the answer to one puzzle of many: a [solver.Result] of
// [Client.SolveAll], a [wire.Count] of [Client.CountAll].
type Answer[T any] struct {
	Index  int         // which puzzle, from 0 in the order of the input
	Puzzle solver.Grid // the puzzle
	Result T           // the zero value where the request failed
}

// SolveAll yields the answer to each of puzzles, each with the error that
// [Client.Solve] has for it, in the order of puzzles or, with Options.Unordered,
// as they come. An error concerns its puzzle alone; the sequence goes on.
//
// It sends up to Options.Window messages of up to Options.Batch puzzles ahead of
// what it has yielded, and takes no more from puzzles until the loop has taken
// what is answered, so its memory is bounded however long puzzles is. A message
// that is not full is sent when no further puzzle comes for 2 ms. puzzles runs in
// a goroutine of its own, which has ended when the loop ends; a loop that is left
// early waits for puzzles to come back from the step it is in.
//
// When ctx ends, so does the sequence, after the answers that have come so far:
// it is complete if the loop ran to its end and ctx.Err() is nil.
func (c *Client) SolveAll(ctx context.Context, puzzles iter.Seq[solver.Grid]) iter.Seq2[Answer[solver.Result], error] {
	return all(ctx, c, solving, puzzles)
}

// CountAll yields the number of solutions of each of puzzles, with the error
// that [Client.Count] has for it; otherwise it is as [Client.SolveAll]. The limit
// is 1 to [wire.MaxCountLimit]; any other is an error for each puzzle.
func (c *Client) CountAll(ctx context.Context, puzzles iter.Seq[solver.Grid], limit int) iter.Seq2[Answer[wire.Count], error] {
	return all(ctx, c, counting(limit), puzzles)
}

// A message that is not full waits this long for more puzzles.
const linger = 2 * time.Millisecond

// A stream is one SolveAll or CountAll under way. Puzzles go from the feeder
// into filling, from there as messages into flight, and through queue to the
// loop:
//
//	puzzles → filling → flight → queue → yield
//
// There is a bounded number of batches, which go round: free → filling → … → free.
// There are as many as queue is long, so neither sending nor settling blocks on
// queue, nor does the loop on free.
type stream[T any] struct {
	c     *Client
	op    *operation[T]
	ctx   context.Context // ends when the loop does
	free  chan *batch[T]  // nil stands for one that is not made yet
	queue chan *batch[T]  // in the order of yielding: of sending, or of settling if unordered

	mu      sync.Mutex
	filling *batch[T] // not sent yet; nil if there is none
	most    int       // puzzles that filling takes
	next    int       // index of the next puzzle
	linger  *time.Timer
}

// A batch is what one message asks, before retries divide it.
type batch[T any] struct {
	part[T]
	first int           // index of the first puzzle
	done  chan struct{} // receives once, when settled
}

func all[T any](ctx context.Context, c *Client, op *operation[T], puzzles iter.Seq[solver.Grid]) iter.Seq2[Answer[T], error] {
	return func(yield func(Answer[T], error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		s := &stream[T]{c: c, op: op, ctx: ctx, free: make(chan *batch[T], c.o.Window), queue: make(chan *batch[T], c.o.Window)}
		s.linger = time.AfterFunc(time.Hour, s.flush)
		for range cap(s.free) {
			s.free <- nil
		}
		var feeder sync.WaitGroup
		feeder.Go(func() { s.feed(puzzles) })
		defer func() {
			cancel()
			feeder.Wait()
			c.abandon(ctx)
		}()
		for b := s.head(); b != nil; b = s.head() {
			for i, g := range b.asked {
				if !yield(Answer[T]{Index: b.first + i, Puzzle: g, Result: b.answers[i]}, b.err(i)) {
					return
				}
			}
			s.free <- b
		}
	}
}

// feed sends all puzzles, and closes the queue when everything is yielded.
func (s *stream[T]) feed(puzzles iter.Seq[solver.Grid]) {
	defer s.linger.Stop()
	for g := range puzzles {
		if !s.add(g) {
			return
		}
	}
	s.flush()
	for range cap(s.free) {
		if _, ok := await(s.ctx, s.free); !ok {
			return
		}
	}
	close(s.queue)
}

// add puts g into the batch that is filling, and sends it when it is full. It
// returns false when ctx has ended.
func (s *stream[T]) add(g solver.Grid) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.filling == nil && !s.begin() {
		return false
	}
	b := s.filling
	b.asked = append(b.asked, g)
	s.next++
	switch len(b.asked) {
	case s.most:
		s.send()
	case 1:
		s.linger.Reset(linger)
	}
	return true
}

// begin waits for a batch to fill. It returns false when ctx has ended. The lock
// is held.
func (s *stream[T]) begin() bool {
	b, ok := await(s.ctx, s.free)
	if !ok {
		return false
	}
	if b == nil {
		b = &batch[T]{part: part[T]{op: s.op}, done: make(chan struct{}, 1)}
		b.settled = func() { s.settled(b) }
	}
	b.asked, b.first = b.asked[:0], s.next
	s.filling, s.most = b, s.c.batchSize()
	return true
}

// flush sends the batch that is filling, full or not.
func (s *stream[T]) flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.filling != nil {
		s.send()
	}
}

// send sends the batch that is filling. The lock is held.
func (s *stream[T]) send() {
	b := s.filling
	s.filling = nil
	n := len(b.asked)
	b.answers = slices.Grow(b.answers[:0], n)[:n]
	b.errs = slices.Grow(b.errs[:0], n)[:n]
	clear(b.errs)
	if !s.c.o.Unordered {
		s.queue <- b
	}
	s.c.start(s.ctx, &b.part)
}

// settled is called when b is.
func (s *stream[T]) settled(b *batch[T]) {
	b.done <- struct{}{}
	if s.c.o.Unordered {
		s.queue <- b
	}
}

// head returns the next batch to yield, once it is settled; nil after the last,
// or when ctx has ended before.
func (s *stream[T]) head() *batch[T] {
	b, ok := await(s.ctx, s.queue)
	if !ok {
		return nil
	}
	if _, ok := await(s.ctx, b.done); !ok {
		return nil
	}
	return b
}

// await receives from ch. It returns false when ch is closed, and when ctx has
// ended and nothing is there.
func await[T any](ctx context.Context, ch <-chan T) (v T, ok bool) {
	select {
	case v, ok = <-ch:
		return v, ok
	default:
	}
	select {
	case v, ok = <-ch:
	case <-ctx.Done():
	}
	return v, ok
}

// batchSize is how many puzzles fit into one message and, with 92 bytes each,
// into its reply. The headers of both are well under 1 kB.
func (c *Client) batchSize() int {
	n := min(c.o.Batch, wire.MaxPuzzles, wire.MaxBytes/82)
	if most := c.nc.MaxPayload(); most > 0 {
		n = min(n, int(most-1024)/92)
	}
	return max(n, 1)
}
