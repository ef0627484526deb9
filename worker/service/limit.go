package service

import (
	"context"
	"time"
)

// A limit is a context that ends after a time and, where time has not run out,
// can be started again: [context.WithTimeout] would allocate for every request.
type limit struct {
	context.Context // ended by timer, or with parent
	cancel          context.CancelFunc
	parent          context.Context
	deadline        time.Time
	timer           *time.Timer
}

func newLimit(parent context.Context) *limit {
	l := &limit{parent: parent}
	l.renew()
	return l
}

func (l *limit) renew() {
	l.Context, l.cancel = context.WithCancel(l.parent)
	l.timer = time.AfterFunc(time.Hour, l.cancel)
	l.timer.Stop()
}

// Deadline returns when l ends.
func (l *limit) Deadline() (time.Time, bool) { return l.deadline, true }

// start makes l end after d, or with its parent. It must not be in use.
func (l *limit) start(d time.Duration) {
	l.deadline = time.Now().Add(d)
	l.timer.Reset(d)
}

// stop ends the use of l.
func (l *limit) stop() {
	if !l.timer.Stop() {
		l.cancel()
		l.renew()
	}
}

// close releases what l holds.
func (l *limit) close() { l.cancel() }
