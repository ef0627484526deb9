package check

import (
	"syscall"
	"testing"
)

// ports returns n ports of the loopback interface that are the test's own until it
// ends. Each is held by a socket that is bound and does not listen, so that the
// system gives it to nobody but those who are told to listen there.
func ports(t *testing.T, n int) []int {
	t.Helper()
	all := make([]int, n)
	for i := range all {
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
		all[i] = bound.(*syscall.SockaddrInet4).Port
	}
	return all
}
