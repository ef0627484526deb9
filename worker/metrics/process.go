package metrics

import (
	"github.com/nats-io/nats.go"
	"github.com/prometheus/client_golang/prometheus"
)

var (
	connected = prometheus.NewDesc("sudoku_nats_connected",
		"1 while there is a connection to NATS, else 0.", nil, nil)
	reconnects = prometheus.NewDesc("sudoku_nats_reconnects_total",
		"Connections to NATS after the first; that one counts too where it did not come at once.", nil, nil)
)

// Connection returns a collector of the state of nc.
func Connection(nc *nats.Conn) prometheus.Collector { return connectionCollector{nc} }

type connectionCollector struct{ nc *nats.Conn }

func (c connectionCollector) Describe(ch chan<- *prometheus.Desc) {
	ch <- connected
	ch <- reconnects
}

func (c connectionCollector) Collect(ch chan<- prometheus.Metric) {
	up := 0
	if c.nc.IsConnected() {
		up = 1
	}
	ch <- gauge(connected, up)
	ch <- counter(reconnects, c.nc.Stats().Reconnects)
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
