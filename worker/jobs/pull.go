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
// are done.) One request is under way at a time. It asks for all free places, and
// the next follows when everything has come, or when the server says, or is
// silent, that nothing more will.
type puller struct {
	nc   *nats.Conn
	log  *slog.Logger
	most int // chunks in hand

	messages chan *nats.Msg // chunks, and what the server says about a request
	sub      *nats.Subscription
	closed   chan struct{} // closed when sub delivers nothing any more
	inbox    string        // the answers to request n come to <inbox><n>
	status   chan nats.Status
	freed    chan struct{} // receives when a place has become free

	mu     sync.Mutex
	inHand map[*nats.Msg]struct{}

	// Of the goroutine of run.
	number int  // of the request
	asked  int  // chunks that may still come for it
	absent bool // there is no stream, and the log says so
}

// Times of the protocol.
const (
	expiry    = 30 * time.Second // the server ends a request after this
	heartbeat = 5 * time.Second  // the server says something at least this often while it is under way
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
	next := time.NewTimer(0) // asks again
	defer next.Stop()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case m := <-p.messages:
			if again, wait := p.receive(m, take); again {
				next.Reset(wait)
			} else if p.asked > 0 {
				next.Reset(2 * heartbeat)
			}
		case <-p.freed:
			if p.asked == 0 && !p.absent {
				next.Reset(0)
			}
		case <-p.status: // the connection is back, the request is lost
			next.Reset(0)
		case <-alive.C:
			p.keepAlive()
		case <-next.C:
			if p.asked = p.ask(); p.asked > 0 {
				next.Reset(2 * heartbeat)
			}
		}
	}
	p.drain(take)
}

// ask sends a request for all free places, and returns how many there are.
func (p *puller) ask() int {
	free := p.free()
	if free == 0 || !p.nc.IsConnected() { // the status says when it is back
		return 0
	}
	p.number++
	body, err := json.Marshal(struct {
		Batch     int           `json:"batch"`
		Expires   time.Duration `json:"expires"`
		Heartbeat time.Duration `json:"idle_heartbeat"`
	}{free, expiry, heartbeat})
	if err != nil {
		panic(err) // numbers can be marshalled
	}
	if p.nc.PublishRequest(subjectNext, p.inbox+strconv.Itoa(p.number), body) != nil {
		return 0 // closed
	}
	return free
}

func (p *puller) free() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return max(p.most-len(p.inHand), 0)
}

// receive takes a message. It returns whether to ask again, and when.
func (p *puller) receive(m *nats.Msg, take func(*nats.Msg)) (again bool, wait time.Duration) {
	if strings.HasPrefix(m.Reply, "$JS.ACK.") {
		p.absent = false
		p.hold(m)
		take(m)
		p.asked = max(p.asked-1, 0)
		return p.asked == 0 && p.free() > 0, 0
	}
	if m.Subject != p.inbox+strconv.Itoa(p.number) {
		return false, 0 // about an earlier request
	}
	switch status := m.Header.Get("Status"); status {
	case "100": // a heartbeat
		return false, 0
	case "404", "408": // nothing there in time
		p.asked, p.absent = 0, false
		return true, 0
	case "503": // nobody listens to our requests
		if !p.absent {
			p.log.Info("no durable jobs yet: the consumer is not there", "stream", wire.StreamJobs, "consumer", wire.ConsumerJobs)
		}
		p.absent = true
	default: // the consumer was deleted, the server shuts down, …
		p.log.Debug("asking for chunks again", "status", status, "description", m.Header.Get("Description"))
	}
	p.asked = 0
	return true, pause
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
