package metrics

import (
	"errors"
	"sync"

	"github.com/nats-io/nats.go"
	"github.com/prometheus/client_golang/prometheus"
)

// Connection returns a collector of the state of nc, whose error handler it adds
// itself to: call it when the connection has its own. A process with several
// connections tells them apart by name.
func Connection(name string, nc *nats.Conn) prometheus.Collector {
	label := prometheus.Labels{"connection": name}
	c := &connectionCollector{
		nc: nc,
		connected: prometheus.NewDesc("sudoku_nats_connected",
			"1 while there is a connection to NATS, else 0.", nil, label),
		reconnects: prometheus.NewDesc("sudoku_nats_reconnects_total",
			"Connections to NATS after the first; that one counts too where it did not come at once.", nil, label),
		dropped: prometheus.NewDesc("sudoku_messages_dropped_total",
			"Messages of all subscriptions dropped because the process was too slow to take them (slow consumer).", nil, label),
		slow: map[*nats.Subscription]uint64{},
	}
	next := nc.ErrorHandler()
	nc.SetErrorHandler(func(nc *nats.Conn, sub *nats.Subscription, err error) {
		if errors.Is(err, nats.ErrSlowConsumer) && sub != nil {
			c.note(sub)
		}
		if next != nil {
			next(nc, sub, err)
		}
	})
	return c
}

type connectionCollector struct {
	nc                             *nats.Conn
	connected, reconnects, dropped *prometheus.Desc

	mu   sync.Mutex
	slow map[*nats.Subscription]uint64 // that have dropped messages, and how many
	over uint64                        // messages that those have dropped which are closed
}

// note takes note that sub has begun to drop messages. It drops the next ones
// without a word.
func (c *connectionCollector) note(sub *nats.Subscription) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.slow[sub] = max(c.slow[sub], 1)
}

// drops returns how many messages were dropped. A subscription that is closed does
// not say it any more.
func (c *connectionCollector) drops() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	sum := c.over
	for sub, n := range c.slow {
		if now, err := sub.Dropped(); err == nil {
			n = uint64(now)
			c.slow[sub] = n
		} else {
			c.over += n
			delete(c.slow, sub)
		}
		sum += n
	}
	return sum
}

func (c *connectionCollector) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{c.connected, c.reconnects, c.dropped} {
		ch <- d
	}
}

func (c *connectionCollector) Collect(ch chan<- prometheus.Metric) {
	up := 0
	if c.nc.IsConnected() {
		up = 1
	}
	ch <- gauge(c.connected, up)
	ch <- counter(c.reconnects, c.nc.Stats().Reconnects)
	ch <- counter(c.dropped, c.drops())
}

// Build returns a collector that says which program this is: its version, and that
// of the Go it was built with, as [runtime.Version] has it.
func Build(version, goVersion string) prometheus.Collector {
	g := prometheus.NewGauge(prometheus.GaugeOpts{
		Name:        "sudoku_build_info",
		Help:        "Always 1; the labels say what runs.",
		ConstLabels: prometheus.Labels{"version": version, "go_version": goVersion},
	})
	g.Set(1)
	return g
}
