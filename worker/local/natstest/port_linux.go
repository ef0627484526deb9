package natstest

import (
	"syscall"
	"testing"
)

// Port returns a port of the loopback interface that is the test's own until it
// ends: nobody listens there who is not told to, however often who does stops and
// starts again. It is held by a socket that is bound and does not listen, so that
// the system gives it to nobody who asks for any port, and to everybody who asks
// for this one.
func Port(t testing.TB) int {
	t.Helper()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Close(fd) })
	err = syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1)
	if err == nil {
		err = syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}})
	}
	var bound syscall.Sockaddr
	if err == nil {
		bound, err = syscall.Getsockname(fd)
	}
	if err != nil {
		t.Fatal(err)
	}
	return bound.(*syscall.SockaddrInet4).Port
}
