package metrics

import (
	"github.com/nats-io/nats.go"
	"github.com/prometheus/client_golang/prometheus"
)

// Connection returns a collector of the state of nc. A process with several
// connections tells them apart by name.
func Connection(name string, nc *nats.Conn) prometheus.Collector {
	label := prometheus.Labels{"connection": name}
	return &connectionCollector{
		nc: nc,
		connected: prometheus.NewDesc("sudoku_nats_connected",
			"1 while there is a connection to NATS, else 0.", nil, label),
		reconnects: prometheus.NewDesc("sudoku_nats_reconnects_total",
			"Connections to NATS after the first; that one counts too where it did not come at once.", nil, label),
	}
}

type connectionCollector struct {
	nc                    *nats.Conn
	connected, reconnects *prometheus.Desc
}

func (c *connectionCollector) Describe(ch chan<- *prometheus.Desc) {
	ch <- c.connected
	ch <- c.reconnects
}

func (c *connectionCollector) Collect(ch chan<- prometheus.Metric) {
	up := 0
	if c.nc.IsConnected() {
		up = 1
	}
	ch <- gauge(c.connected, up)
	ch <- counter(c.reconnects, c.nc.Stats().Reconnects)
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
