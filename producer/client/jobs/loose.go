package jobs

import (
	"cmp"
	"math"
	"slices"

	"sudoku/solver/wire"
)

// loose is the order of chunks without numbers: that in which they were stored in
// SUDOKU_JOBS. All below the lowest one that still waits there are done, and
// their turn has come.
type loose struct {
	*reader
	come   []came // sorted; not forwarded
	behind uint64 // place of the last one forwarded
}

// came is a chunk without a number that has come.
type came struct {
	place    uint64 // sequence in SUDOKU_JOBS
	sequence uint64 // in SUDOKU_RESULTS
}

func (o *loose) take(chunk wire.Chunk, m message) error {
	if chunk.Numbered || chunk.Sequence <= o.behind {
		return nil
	}
	i, found := slices.BinarySearchFunc(o.come, chunk.Sequence, func(c came, place uint64) int { return cmp.Compare(c.place, place) })
	if !found {
		o.come = slices.Insert(o.come, i, came{chunk.Sequence, m.sequence})
	}
	return nil
}

func (o *loose) forward(read bool) (done bool, err error) {
	if !read {
		return false, nil
	}
	bound, err := o.c.pending(o.ctx, o.job)
	if err != nil {
		return false, err
	}
	if o.unread() { // it may be below bound
		return false, nil
	}
	for len(o.come) > 0 && o.come[0].place < bound {
		first := o.come[0]
		o.come = o.come[1:]
		m, err := o.fetch(first.sequence)
		if err != nil {
			return false, err
		}
		if m == nil {
			continue
		}
		o.behind = first.place
		if err := o.send(*m); err != nil {
			return false, err
		}
	}
	return bound == math.MaxUint64, nil
}
