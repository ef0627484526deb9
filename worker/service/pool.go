package service

import (
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// A request is a message and when it came.
type request struct {
	*nats.Msg
	at time.Time
}

// puzzles returns about how many puzzles r has, at least 1: its share of the
// backlog.
func (r request) puzzles() int { return len(r.Data)/82 + 1 }

// A pool hands messages to goroutines, of which at most size are busy at a
// time. They take turns at receiving. The one whose turn it is either gives the
// turn to another and answers the message itself, so that no message waits for
// a goroutine to wake up, or, when size are busy already, puts the message into
// the backlog, where the first that is done finds it. There is thus always one
// that receives, and can refuse what is too much.
//
//	messages ──▶ receiver ──▶ itself, busy < size
//	                      ──▶ backlog, busy == size ──▶ whoever is done first
//	                      ──▶ refused, backlog full
type pool struct {
	sync.WaitGroup
	messages chan *nats.Msg
	turn     chan struct{} // whoever took the token from it receives

	mu      sync.Mutex
	size    int
	busy    int // goroutines at work, at most size
	backlog fifo
	room    int           // puzzles the backlog may hold
	waiting int           // puzzles in the backlog, which is empty unless busy == size
	pace    time.Duration // of a goroutine, for one puzzle: a moving average
}

func newPool(size, backlog int) *pool {
	p := &pool{
		messages: make(chan *nats.Msg, maxUnread),
		turn:     make(chan struct{}, 1),
		size:     size,
		room:     backlog,
	}
	p.turn <- struct{}{}
	return p
}

// close lets the goroutines finish what has arrived, and waits for them. No
// message may be sent to p any more.
func (p *pool) close() {
	close(p.messages)
	p.Wait()
}

// receive returns the next request for a goroutine that is not busy, and makes
// it so; or false when there will be none. Requests for which there is no room
// are given to refuse, with how long the requester should wait.
func (p *pool) receive(refuse func(request, time.Duration)) (request, bool) {
	<-p.turn
	defer func() { p.turn <- struct{}{} }()
	for m := range p.messages {
		r := request{m, time.Now()}
		switch p.admit(r) {
		case taken:
			return r, true
		case full:
			refuse(r, p.retryAfter())
		}
	}
	return request{}, false
}

// What becomes of a request that has arrived.
type admission int

const (
	taken  admission = iota // the receiver answers it
	queued                  // it waits in the backlog
	full                    // it is refused
)

func (p *pool) admit(r request) admission {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.busy < p.size:
		p.busy++
		return taken
	case p.waiting < p.room:
		p.backlog.push(r)
		p.waiting += r.puzzles()
		return queued
	default:
		return full
	}
}

// done says that a busy goroutine has answered n puzzles in d. It returns a
// request from the backlog for it, or false: then the goroutine is not busy any
// more.
func (p *pool) done(n int, d time.Duration) (request, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pace += (d/time.Duration(n) - p.pace) / 8
	r, ok := p.backlog.pop()
	if !ok {
		p.busy--
		return request{}, false
	}
	p.waiting -= r.puzzles()
	return r, true
}

// retryAfter estimates how long the pool takes for half of what waits.
func (p *pool) retryAfter() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	d := p.pace * time.Duration(p.waiting) / time.Duration(2*p.size)
	return min(max(d, time.Millisecond), 10*time.Second)
}

// fifo is a first-in, first-out queue of requests; items[head:] wait.
type fifo struct {
	items []request
	head  int
}

func (f *fifo) push(r request) {
	if f.head > len(f.items)/2 {
		n := copy(f.items, f.items[f.head:])
		clear(f.items[n:])
		f.items, f.head = f.items[:n], 0
	}
	f.items = append(f.items, r)
}

func (f *fifo) pop() (request, bool) {
	if f.head == len(f.items) {
		return request{}, false
	}
	r := f.items[f.head]
	f.items[f.head] = request{}
	f.head++
	return r, true
}
