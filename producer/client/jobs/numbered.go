package jobs

import (
	"strconv"

	"sudoku/solver/wire"
)

// near is how many messages that are ahead of their turn are kept as they are.
const near = 128

// numbered is the order of chunks with numbers:
//
//	its turn                        forwarded
//	up to len(early) chunks early   its sequence is remembered, to get it again
//	earlier                         skipped; the tail begins anew there when its turn has come
//	there before                    dropped
type numbered struct {
	*reader
	seeking bool            // the chunk with puzzle From is not found, and the tail has no bodies
	next    int             // number of the chunk whose turn it is
	early   []uint64        // at n%len the sequence of chunk n, for n from next on; 0 where it has not come
	kept    map[int]message // some of early
	skipped uint64          // lowest sequence of a skipped message; 0 where there is none
	lowest  int             // lowest number of one
}

func (o *numbered) take(chunk wire.Chunk, m message) error {
	n, ahead := chunk.Number, len(o.early)
	switch {
	case !chunk.Numbered: // a chunk that failed for its bad number; its place is unknown
	case o.seeking:
		o.seek(chunk, m)
	case n < o.next || n < o.next+ahead && o.early[n%ahead] != 0:
	case n >= o.next+ahead:
		o.skip(n, m.sequence)
	default:
		o.early[n%ahead] = m.sequence
		if len(o.kept) < near {
			o.keep(n, m)
		}
	}
	return nil
}

func (o *numbered) keep(n int, m message) {
	if o.kept == nil {
		o.kept = map[int]message{}
	}
	o.kept[n] = m
}

func (o *numbered) skip(n int, sequence uint64) {
	if o.skipped == 0 {
		o.skipped, o.lowest = sequence, n
	}
	o.lowest = min(o.lowest, n)
}

// seek looks for the chunk with puzzle From. When it is found the tail begins
// anew, at the first message that is not for puzzles before it.
func (o *numbered) seek(chunk wire.Chunk, m message) {
	puzzles, err := strconv.Atoi(m.header.Get(wire.HeaderPuzzles))
	if err != nil || chunk.First+puzzles <= o.o.From {
		return
	}
	o.skip(chunk.Number, m.sequence)
	if chunk.First > o.o.From {
		return
	}
	o.seeking = false
	o.next, o.chunks, o.index = chunk.Number, chunk.Number, chunk.First
	o.again()
}

// again begins anew at what was skipped.
func (o *numbered) again() {
	o.reopen(o.skipped, false)
	o.skipped = 0
}

func (o *numbered) forward(bool) (done bool, err error) {
	for !o.seeking {
		slot := &o.early[o.next%len(o.early)]
		if *slot == 0 {
			break
		}
		m, ok := o.kept[o.next]
		if !ok {
			got, err := o.fetch(*slot)
			if err != nil {
				return false, err
			}
			if got == nil {
				*slot = 0
				break
			}
			m = *got
		}
		delete(o.kept, o.next)
		*slot = 0
		o.next++
		if err := o.send(m); err != nil {
			return false, err
		}
	}
	if o.skipped > 0 && !o.seeking && o.next >= o.lowest {
		o.again()
	}
	return false, nil
}
