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

// A puller asks JetStream for chunks, never for more than it can have in hand at
// a time: what waits in a buffer of ours is what another worker could do. (The
// pull consumer of nats.go takes the next messages before those it has given out
// are done.) As soon as a place becomes free it asks for one more, so that several
// requests are under way. The server says when it ends one, and how much of it was
// not served. When it is silent, or the connection was away, all of them count as
// lost, and a new generation begins.
type puller struct {
	nc   *nats.Conn
	log  *slog.Logger
	most int // chunks in hand

	messages chan *nats.Msg // chunks, and what the server says about a request
	sub      *nats.Subscription
	closed   chan struct{} // closed when sub delivers nothing any more
	inbox    string        // what the server says about requests comes to <inbox><generation>
	status   chan nats.Status
	freed    chan struct{} // receives when a place has become free

	mu     sync.Mutex
	inHand map[*nats.Msg]struct{}

	// Of the goroutine of run.
	generation int
	asked      int  // chunks that were asked for and may still come
	dropped    int  // messages, so far
	absent     bool // there is no stream, and the log says so
	resting    bool // the next request is for the timer to make
}

// Times of the protocol.
const (
	expiry    = 30 * time.Second // the server ends a request after this
	heartbeat = 5 * time.Second  // the server says something at least this often while one is under way
	silence   = 2 * heartbeat    // after which requests count as lost
	pause     = time.Second      // before asking again where something is wrong
	keepAlive = 3 * time.Second  // the server is told this often what we work on; see AckWait of the consumer
)

// subjectNext is where chunks are asked for.
const subjectNext = "$JS.API.CONSUMER.MSG.NEXT." + wire.StreamJobs + "." + wire.ConsumerJobs

func newPuller(nc *nats.Conn, log *slog.Logger, most int) (*puller, error) {
	p := &puller{
		nc:       nc,
		log:      log,
		most:     most,
		messages: make(chan *nats.Msg, 2*most+16), // those of one request, and late ones of another
		closed:   make(chan struct{}),
		inbox:    nc.NewInbox() + ".",
		freed:    make(chan struct{}, 1),
		inHand:   map[*nats.Msg]struct{}{},
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
	timer := time.NewTimer(0) // begins anew
	defer timer.Stop()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case m := <-p.messages:
			if p.receive(m, take); p.resting {
				timer.Reset(pause)
			} else {
				timer.Reset(silence)
			}
		case <-p.freed:
		case <-p.status:
			p.renew()
		case <-alive.C:
			p.keepAlive()
			p.notice()
		case <-timer.C:
			p.renew()
			timer.Reset(silence)
		}
		p.ask()
	}
	p.drain(take)
}

// renew forgets the requests under way.
func (p *puller) renew() {
	p.generation++
	p.asked, p.resting = 0, false
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
	n := p.free() - p.asked
	if n <= 0 || p.resting || !p.nc.IsConnected() { // the status says when it is back
		return
	}
	body, err := json.Marshal(struct {
		Batch     int           `json:"batch"`
		Expires   time.Duration `json:"expires"`
		Heartbeat time.Duration `json:"idle_heartbeat"`
	}{n, expiry, heartbeat})
	if err != nil {
		panic(err) // numbers can be marshalled
	}
	if p.nc.PublishRequest(subjectNext, p.inbox+strconv.Itoa(p.generation), body) == nil {
		p.asked += n
	}
}

func (p *puller) free() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return max(p.most-len(p.inHand), 0)
}

// receive takes a message.
func (p *puller) receive(m *nats.Msg, take func(*nats.Msg)) {
	if strings.HasPrefix(m.Reply, "$JS.ACK.") {
		p.absent = false
		p.asked = max(p.asked-1, 0)
		p.hold(m)
		take(m)
		return
	}
	if m.Subject != p.inbox+strconv.Itoa(p.generation) {
		return
	}
	switch status := m.Header.Get("Status"); status {
	case "100": // a heartbeat
	case "408": // the request has expired
		p.absent = false
		p.forget(m)
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

// forget takes note of what was not served of a request.
func (p *puller) forget(m *nats.Msg) {
	n, err := strconv.Atoi(m.Header.Get("Nats-Pending-Messages"))
	if err != nil {
		p.renew()
		return
	}
	p.asked = max(p.asked-n, 0)
}

// hold counts m as in hand.
func (p *puller) hold(m *nats.Msg) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.inHand[m] = struct{}{}
}

// drop says that m is in hand no more.
func (p *puller) drop(m *nats.Msg) {
	p.mu.Lock()
	delete(p.inHand, m)
	p.mu.Unlock()
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
