package main

import (
	"context"
	"sync"

	"sudoku/producer/format"
)

// maxBad bounds the bad puzzles that wait for their turn. The others are bounded
// by the client's window.
const maxBad = 4096

// pending are the puzzles that workers are asked about, and among them the bad
// ones that nobody is asked about, until each has its turn to be printed.
type pending struct {
	ctx     context.Context
	printer *printer
	ordered bool

	mu    sync.Mutex
	first int                      // number of asked[0], from 0
	asked []*format.Puzzle         // those asked, nil if answered; the first one is not
	bad   map[int][]*format.Puzzle // those that come right after the one of that number
	nbad  int
	room  *sync.Cond // nbad < maxBad, or ctx has ended
}

func newPending(ctx context.Context, pr *printer, ordered bool) *pending {
	w := &pending{ctx: ctx, printer: pr, ordered: ordered, bad: map[int][]*format.Puzzle{}}
	w.room = sync.NewCond(&w.mu)
	context.AfterFunc(ctx, w.room.Broadcast)
	return w
}

// add adds the next puzzle of the input.
func (w *pending) add(p *format.Puzzle) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if p.Err == nil {
		w.asked = append(w.asked, p)
		return
	}
	for w.nbad == maxBad && w.ctx.Err() == nil {
		w.room.Wait()
	}
	if !w.ordered || len(w.asked) == 0 {
		w.printer.print(p, format.Answer{}, nil)
		return
	}
	last := w.first + len(w.asked) - 1
	w.bad[last] = append(w.bad[last], p)
	w.nbad++
}

// answer prints the answer to puzzle number i, and the bad ones whose turn it is
// then.
func (w *pending) answer(i int, a format.Answer, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := &w.asked[i-w.first]
	w.printer.print(*p, a, err)
	*p = nil
	for len(w.asked) > 0 && w.asked[0] == nil {
		w.asked = w.asked[1:]
		w.first++
	}
	for _, p := range w.bad[i] {
		w.printer.print(p, format.Answer{}, nil)
	}
	w.nbad -= len(w.bad[i])
	delete(w.bad, i)
	w.room.Signal()
}
