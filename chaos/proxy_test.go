package chaos

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// A proxy stands between a client and the servers, and is a bad network on
// demand. It understands as much of the NATS protocol as it takes to find
// messages: https://docs.nats.io/reference/reference-protocols/nats-protocol.
type proxy struct {
	listener net.Listener
	servers  []string // addresses; a new connection goes to the first that listens
	working  sync.WaitGroup

	mu     sync.Mutex
	links  map[*link]struct{}
	closed bool
	lag    time.Duration // of what comes together: a slow network, no synchronisation
	double bool          // replies are written twice
	keep   int           // this many replies are held back, and come last one first
}

// A link is a connection through a proxy.
type link struct {
	client, server net.Conn

	mu   sync.Mutex
	hole bool     // what comes from either side disappears
	held [][]byte // replies on their way to the server
}

func newProxy(t testing.TB, servers ...*server) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: l, links: map[*link]struct{}{}}
	for _, s := range servers {
		p.servers = append(p.servers, s.address)
	}
	p.working.Go(p.accept)
	t.Cleanup(p.close)
	return p
}

func (p *proxy) url() string { return "nats://" + p.listener.Addr().String() }

// close cuts the connections, without a word to anybody.
func (p *proxy) close() {
	p.listener.Close()
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.cut()
	p.working.Wait()
}

func (p *proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return // closed
		}
		server, err := p.dial()
		if err != nil {
			client.Close() // it tries again
			continue
		}
		p.connect(&link{client: client, server: server})
	}
}

func (p *proxy) dial() (server net.Conn, err error) {
	for _, address := range p.servers {
		if server, err = net.Dial("tcp", address); err == nil {
			break
		}
	}
	return server, err
}

func (p *proxy) connect(l *link) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		l.close()
		return
	}
	p.links[l] = struct{}{}
	p.working.Go(func() {
		var sides sync.WaitGroup
		sides.Go(func() { p.down(l) })
		sides.Go(func() { p.up(l) })
		sides.Wait()
		p.mu.Lock()
		delete(p.links, l)
		p.mu.Unlock()
	})
}

// each calls f with each link.
func (p *proxy) each(f func(*link)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for l := range p.links {
		f(l)
	}
}

// cut closes the connections.
func (p *proxy) cut() { p.each((*link).close) }

// swallow makes the connections black holes for the rest of their lives. The
// next ones are not.
func (p *proxy) swallow() {
	p.each(func(l *link) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.hole = true
	})
}

// behave sets what the proxy does to those connections it does not swallow.
func (p *proxy) behave(lag time.Duration, double bool, keep int) {
	p.mu.Lock()
	p.lag, p.double, p.keep = lag, double, keep
	p.mu.Unlock()
	p.each(func(l *link) { l.release(keep) })
}

func (p *proxy) behaviour() (lag time.Duration, double bool, keep int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lag, p.double, p.keep
}

func (l *link) close() {
	l.client.Close()
	l.server.Close()
}

// lost ends one side of a link, and the other unless it is not to know.
func (l *link) lost(side net.Conn) {
	side.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.hole {
		l.close()
	}
}

// down passes on what the server says.
func (p *proxy) down(l *link) {
	defer l.lost(l.server)
	buffer := make([]byte, 16<<10)
	for {
		n, err := l.server.Read(buffer)
		if err != nil {
			return
		}
		lag, _, _ := p.behaviour()
		time.Sleep(lag)
		if l.write(l.client, buffer[:n]) != nil {
			return
		}
	}
}

// up passes on what the client says, one operation at a time.
func (p *proxy) up(l *link) {
	defer l.lost(l.client)
	in := bufio.NewReader(l.client)
	for {
		operation, err := read(in)
		if err != nil {
			return
		}
		lag, double, keep := p.behaviour()
		if in.Buffered() == 0 { // the last of those that came together
			time.Sleep(lag)
		}
		switch reply := bytes.Contains(operation[:min(len(operation), 20)], []byte("PUB "+nats.InboxPrefix)); {
		case reply && keep > 0:
			err = l.hold(operation, keep)
		case reply && double:
			err = l.write(l.server, bytes.Repeat(operation, 2))
		default:
			err = l.write(l.server, operation)
		}
		if err != nil {
			return
		}
	}
}

// write passes on what one side said.
func (l *link) write(to net.Conn, b []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.hole {
		return nil
	}
	_, err := to.Write(b)
	return err
}

// hold keeps a reply until there are more than keep of them.
func (l *link) hold(reply []byte, keep int) error {
	l.mu.Lock()
	l.held = append(l.held, reply)
	l.mu.Unlock()
	return l.release(keep)
}

// release passes on the held replies, the last one first, if they are more than
// keep.
func (l *link) release(keep int) error {
	l.mu.Lock()
	var late []byte
	if len(l.held) > keep {
		slices.Reverse(l.held)
		late, l.held = slices.Concat(l.held...), nil
	}
	l.mu.Unlock()
	return l.write(l.server, late)
}

// read returns the next operation of a client: a line, and the message that
// follows it.
func read(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	words := bytes.Fields(line)
	if len(words) == 0 || !bytes.HasSuffix(words[0], []byte("PUB")) {
		return line, nil
	}
	size, err := strconv.Atoi(string(words[len(words)-1]))
	if err != nil {
		return nil, err
	}
	message := make([]byte, size+len("\r\n"))
	_, err = io.ReadFull(in, message)
	return append(line, message...), err
}
