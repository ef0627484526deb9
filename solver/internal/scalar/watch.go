package scalar

import (
	"context"
	"time"

	"sudoku/solver/internal/work"
)

// watch looks now and then whether a context has ended, and adds up what was done.
type watch struct {
	ctx   context.Context
	nodes uint32
	over  bool
	done  work.Done   // that is not in shard yet
	shard *work.Shard // of Work
}

// interval is how many nodes are searched between two looks at the context. A
// node takes about a microsecond.
const interval = 256

// tick counts a node and reports whether the context has ended.
func (w *watch) tick() bool {
	if w.nodes++; w.nodes%interval == 0 {
		w.look()
	}
	return w.over
}

func (w *watch) look() {
	w.over = ended(w.ctx)
	w.report()
}

func (w *watch) report() {
	w.shard.Add(w.done)
	w.done = work.Done{}
}

// ended reports whether ctx is done, or will be as soon as its timer gets a
// processor: with all of them searching, that can take tens of milliseconds.
func ended(ctx context.Context) bool {
	if ctx.Err() != nil {
		return true
	}
	deadline, ok := ctx.Deadline()
	return ok && !time.Now().Before(deadline)
}
