package service

import (
	"context"
	"time"
)

// A limit makes contexts that end after a time, one after another. Where time
// does not run out it uses the same context again: [context.WithTimeout] would
// allocate for every request.
type limit struct {
	parent context.Context
	ctx    context.Context
	cancel context.CancelFunc
	timer  *time.Timer // cancels ctx
}

func newLimit(parent context.Context) *limit {
	l := &limit{parent: parent}
	l.renew()
	return l
}

func (l *limit) renew() {
	l.ctx, l.cancel = context.WithCancel(l.parent)
	l.timer = time.AfterFunc(time.Hour, l.cancel)
	l.timer.Stop()
}

// start returns a context that ends after d or with the parent. It is good
// until stop is called.
func (l *limit) start(d time.Duration) context.Context {
	l.timer.Reset(d)
	return l.ctx
}

// stop ends the use of the context that start returned.
func (l *limit) stop() {
	if !l.timer.Stop() {
		l.cancel()
		l.renew()
	}
}

// close releases what l holds.
func (l *limit) close() { l.cancel() }
