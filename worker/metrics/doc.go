// Package metrics gives Prometheus the numbers of a worker. Its functions are
// collectors for a registry of the caller's:
//
//	s, err := service.Start(nc, service.Options{})
//	…
//	prometheus.MustRegister(
//		metrics.Service(s),
//		metrics.Search(),
//		metrics.Connection("requests", nc),
//		metrics.Build(version, runtime.Version()),
//	)
//
// Nothing is counted here: a collector reads what the service and the connection
// count anyway, when it is asked. So all series are there from the beginning, at
// 0, and a scrape costs a search nothing. The metrics are in README.md.
package metrics
