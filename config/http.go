package config

import (
	"fmt"
	"net"
	"strconv"
	"strings"
)

// HTTP is where the worker serves metrics and probes.
type HTTP struct {
	Addr string `desc:"where the worker serves /metrics, /healthz and /readyz: 9090 or :9090 on this machine alone, 0.0.0.0:9090 for others; empty means nowhere"`
}

// ParseAddr returns an address as [net.Listen] takes it. Where addr is a port
// alone it is one on the loopback interface: what listens to other machines has to
// say so.
func ParseAddr(addr string) (string, error) {
	if !strings.Contains(addr, ":") {
		addr = ":" + addr
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "", fmt.Errorf("%q is not an address such as 9090 or 127.0.0.1:9090", addr)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return "", fmt.Errorf("%q is not a port from 0 to 65535", port)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port), nil
}

func (h HTTP) check() error {
	if h.Addr == "" {
		return nil
	}
	if _, err := ParseAddr(h.Addr); err != nil {
		return &Error{Name: "SUDOKU_HTTP_ADDR", Text: err.Error()}
	}
	return nil
}
