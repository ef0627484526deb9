package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"sudoku/solver/wire"
)

// A puller asks JetStream for chunks, never for more than there are places for:
// what waits in a buffer of ours is what another worker could do. (The pull consumer
// of nats.go takes the next messages before those it has given out are done.) A
// chunk that is solved needs no place any more, and is in hand until its answers
// are stored, which can take much longer. As soon as a place becomes free the
// puller asks for one more chunk, so that several pull requests are under way. The
// server says when it ends one, and how much of it was not served.
//
// A slot that has lately had a request from somebody who waits gives no places: to
// take a chunk, write its answers and have JetStream store them costs the machine
// more than to solve it, and all of it gets in the way of requests. Some places are
// left, so that jobs do not starve.
//
// Pull requests are of a generation for as long as one may take, and those of the last
// but one count as lost: the leader of a cluster that is killed loses some, while
// its successor serves the others. So do all when the connection was away.
type puller struct {
	nc    *nats.Conn
	log   *slog.Logger
	slots func() int // those without requests lately
	most  int        // chunks in hand

	messages chan *nats.Msg // chunks, and what the server says about a request
	sub      *nats.Subscription
	closed   chan struct{} // closed when sub delivers nothing any more
	turn     time.Duration // of a generation; shorter in a test
	inbox    string        // what the server says about requests comes to <inbox><generation>
	status   chan nats.Status
	freed    chan struct{} // receives when a place has become free

	mu     sync.Mutex
	inHand map[*nats.Msg]bool // whether it has a place
	taken  int                // places

	// Of the goroutine of run.
	generation int
	asked      [2]int // chunks that were asked for and may still come: by this generation, and by the one before
	dropped    int    // messages, so far
	absent     bool   // there is no stream, and the log says so
	resting    bool   // the next request is for the timer to make
}

// Times of the protocol. Requests are short, because one may be under way at a
// server that does not serve it: one that has lost its leadership and does not know
// yet, or that has missed, in an election, that there are chunks.
const (
	expiry    = 4 * time.Second      // the server ends a request after this
	turn      = expiry + time.Second // by then it has said so
	pause     = time.Second          // before asking again where something is wrong
	keepAlive = 3 * time.Second      // the server is told this often what we work on; see AckWait of the consumer
)

// subjectNext is where chunks are asked for.
const subjectNext = "$JS.API.CONSUMER.MSG.NEXT." + wire.StreamJobs + "." + wire.ConsumerJobs

func newPuller(nc *nats.Conn, log *slog.Logger, most int, slots func() int) (*puller, error) {
	p := &puller{
		nc:       nc,
		log:      log,
		slots:    slots,
		most:     most,
		messages: make(chan *nats.Msg, 2*most+16), // those of one request, and late ones of another
		closed:   make(chan struct{}),
		turn:     turn,
		inbox:    nc.NewInbox() + ".",
		freed:    make(chan struct{}, 1),
		inHand:   map[*nats.Msg]bool{},
	}
	var err error
	if p.sub, err = nc.ChanSubscribe(p.inbox+"*", p.messages); err != nil {
		return nil, fmt.Errorf("subscribing to the chunks: %w", err)
	}
	once := sync.OnceFunc(func() { close(p.closed) })
	p.sub.SetClosedHandler(func(string) { once() })
	p.status = nc.StatusChanged(nats.CONNECTED)
	return p, nil
}

// run gives chunks to take until ctx ends; then it unsubscribes, and take still
// gets those that were on their way.
func (p *puller) run(ctx context.Context, take func(*nats.Msg)) {
	defer p.nc.RemoveStatusListener(p.status)
	alive := time.NewTicker(keepAlive)
	defer alive.Stop()
	turns := time.NewTicker(p.turn)
	defer turns.Stop()
	rest := time.NewTimer(0)
	defer rest.Stop()
	for ctx.Err() == nil {
		rested := p.resting
		select {
		case <-ctx.Done():
		case m := <-p.messages:
			if p.receive(m, take); p.resting && !rested {
				rest.Reset(pause)
			}
		case <-p.freed:
		case <-p.status:
			p.renew()
		case <-alive.C:
			p.keepAlive()
			p.notice()
		case <-turns.C:
			p.age()
		case <-rest.C:
			p.renew()
		}
		p.ask()
	}
	p.drain(take)
}

// age begins a generation, and forgets the requests of the last but one.
func (p *puller) age() {
	p.generation++
	p.asked = [2]int{0, p.asked[0]}
}

// renew forgets the requests under way.
func (p *puller) renew() {
	p.generation += len(p.asked)
	p.asked, p.resting = [2]int{}, false
}

// notice forgets the requests under way when messages were dropped since the last
// time, because the channel was full: they may have been chunks, which will not
// come before the server misses them.
func (p *puller) notice() {
	if n, err := p.sub.Dropped(); err == nil && n > p.dropped {
		p.log.Warn("messages dropped, chunks among them come again later", "dropped", n-p.dropped)
		p.dropped = n
		p.renew()
	}
}

// ask sends a request for the places that are free.
func (p *puller) ask() {
	n := p.free() - p.asked[0] - p.asked[1]
	if n <= 0 || p.resting || !p.nc.IsConnected() { // the status says when it is back
		return
	}
	body, err := json.Marshal(struct {
		Batch   int           `json:"batch"`
		Expires time.Duration `json:"expires"`
	}{n, expiry})
	if err != nil {
		panic(err) // numbers can be marshalled
	}
	if p.nc.PublishRequest(subjectNext, p.inbox+strconv.Itoa(p.generation), body) == nil {
		p.asked[0] += n
	}
}

// Places for each slot, and how many chunks it has in hand at most. While one is
// searched the next is on its way, and the answers to others are on theirs.
const (
	placesPerSlot = 4
	inHandPerSlot = 12
	leastPlaces   = 2 // where requests have all slots
)

// free returns how many more chunks there are places for.
func (p *puller) free() int {
	slots := p.slots()
	places, most := max(slots*placesPerSlot, leastPlaces), max(slots*inHandPerSlot, leastPlaces)
	p.mu.Lock()
	defer p.mu.Unlock()
	return max(min(places-p.taken, most-len(p.inHand)), 0)
}

// held returns how many chunks are in hand.
func (p *puller) held() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.inHand)
}

// receive takes a message.
func (p *puller) receive(m *nats.Msg, take func(*nats.Msg)) {
	if strings.HasPrefix(m.Reply, "$JS.ACK.") {
		p.absent = false
		if !p.less(1, 1) {
			p.less(0, 1)
		}
		p.hold(m)
		take(m)
		return
	}
	generation, err := strconv.Atoi(strings.TrimPrefix(m.Subject, p.inbox))
	age := p.generation - generation
	if err != nil || age < 0 || age >= len(p.asked) {
		return
	}
	switch status := m.Header.Get("Status"); status {
	case "408": // the request has expired
		p.absent = false
		p.forget(m, age)
	case "503": // nobody listens to our requests
		if !p.absent {
			p.log.Info("no durable jobs yet: the consumer is not there", "stream", wire.StreamJobs, "consumer", wire.ConsumerJobs)
		}
		p.absent, p.resting = true, true
	default: // the consumer was deleted, the server shuts down, …
		p.log.Debug("asking for chunks again", "status", status, "description", m.Header.Get("Description"))
		p.resting = true
	}
}

// forget takes note of what was not served of a request of that age.
func (p *puller) forget(m *nats.Msg, age int) {
	n, err := strconv.Atoi(m.Header.Get("Nats-Pending-Messages"))
	if err != nil {
		p.renew()
		return
	}
	p.less(age, n)
}

// less takes n off what was asked for, and reports whether that was as much.
func (p *puller) less(age, n int) bool {
	had := p.asked[age]
	p.asked[age] = max(had-n, 0)
	return had >= n
}

// hold takes m in hand, at a place.
func (p *puller) hold(m *nats.Msg) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.inHand[m] = true
	p.taken++
}

// vacate says that m needs its place no more.
func (p *puller) vacate(m *nats.Msg) {
	p.mu.Lock()
	p.leave(m)
	p.mu.Unlock()
	p.signal()
}

// drop says that m is in hand no more.
func (p *puller) drop(m *nats.Msg) {
	p.mu.Lock()
	p.leave(m)
	delete(p.inHand, m)
	p.mu.Unlock()
	p.signal()
}

// leave frees the place of m, if it has one. mu is held.
func (p *puller) leave(m *nats.Msg) {
	if p.inHand[m] {
		p.inHand[m] = false
		p.taken--
	}
}

// signal has run look for what is free.
func (p *puller) signal() {
	select {
	case p.freed <- struct{}{}:
	default:
	}
}

// keepAlive tells the server that what is in hand is being worked on.
func (p *puller) keepAlive() {
	if !p.nc.IsConnected() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for m := range p.inHand {
		_ = m.InProgress() // fails where m is acknowledged at this moment, or nc is closed
	}
}

// drain unsubscribes. A connection that is away has nothing on its way.
func (p *puller) drain(take func(*nats.Msg)) {
	if !p.nc.IsConnected() || p.sub.Drain() != nil {
		_ = p.sub.Unsubscribe()
		return
	}
	for {
		select {
		case m := <-p.messages:
			p.receive(m, take)
		case <-p.closed:
			for len(p.messages) > 0 {
				p.receive(<-p.messages, take)
			}
			return
		}
	}
}
