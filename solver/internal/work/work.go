// Package work counts what the searches of an engine do, for all of the process. A
// search counts for itself and adds that up now and then, in a shard of a
// [Counter] that it shares with few others: a single number would be fought over
// by as many processors as there are.
package work

import "sync/atomic"

// Done is what searches have done.
type Done struct {
	Searches uint64 // puzzles
	Guesses  uint64
}

// A Counter is the sum of its shards. The zero value counts from 0. It is safe for
// concurrent use.
type Counter struct {
	next   atomic.Uint32 // shard to give out, modulo their number
	shards [32]Shard
}

// A Shard is a part of a [Counter], in a cache line of its own.
type Shard struct {
	searches, guesses atomic.Uint64
	_                 [48]byte
}

// Shard returns one of the shards, each in turn.
func (c *Counter) Shard() *Shard { return &c.shards[c.next.Add(1)%uint32(len(c.shards))] }

// Done returns the sum so far.
func (c *Counter) Done() (d Done) {
	for i := range c.shards {
		d.Searches += c.shards[i].searches.Load()
		d.Guesses += c.shards[i].guesses.Load()
	}
	return d
}

// Add counts.
func (s *Shard) Add(d Done) {
	if d.Searches > 0 {
		s.searches.Add(d.Searches)
	}
	if d.Guesses > 0 {
		s.guesses.Add(d.Guesses)
	}
}
