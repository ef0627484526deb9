//go:build !linux

package natstest

import (
	"net"
	"testing"
)

// Port returns a port of the loopback interface on which nobody listens at the
// moment. Only Linux can keep it free until the test ends.
func Port(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
