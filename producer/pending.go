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
	n     int                      // puzzles asked so far
	asked map[int]*format.Puzzle   // those without an answer yet, by number from 0
	bad   map[int][]*format.Puzzle // those that come right after one of asked
	nbad  int
	room  *sync.Cond // nbad < maxBad, or ctx has ended
}

func newPending(ctx context.Context, pr *printer, ordered bool) *pending {
	w := &pending{ctx: ctx, printer: pr, ordered: ordered, asked: map[int]*format.Puzzle{}, bad: map[int][]*format.Puzzle{}}
	w.room = sync.NewCond(&w.mu)
	context.AfterFunc(ctx, w.room.Broadcast)
	return w
}

// add adds the next puzzle of the input.
func (w *pending) add(p *format.Puzzle) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if p.Err == nil {
		w.asked[w.n] = p
		w.n++
		return
	}
	for w.nbad == maxBad && w.ctx.Err() == nil {
		w.room.Wait()
	}
	if !w.ordered || len(w.asked) == 0 {
		w.printer.print(p, format.Answer{}, nil)
		return
	}
	w.bad[w.n-1] = append(w.bad[w.n-1], p)
	w.nbad++
}

// answer prints the answer to puzzle number i, and the bad ones whose turn it is
// then.
func (w *pending) answer(i int, a format.Answer, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.printer.print(w.asked[i], a, err)
	delete(w.asked, i)
	for _, p := range w.bad[i] {
		w.printer.print(p, format.Answer{}, nil)
	}
	w.nbad -= len(w.bad[i])
	delete(w.bad, i)
	w.room.Signal()
}
