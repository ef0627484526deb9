package natstest_test

import (
	"fmt"
	"net"
	"testing"

	"sudoku/worker/local/natstest"
)

// A port is for those who ask for it by number, again and again, and for nobody
// else.
func TestPort(t *testing.T) {
	mine := fmt.Sprintf("127.0.0.1:%d", natstest.Port(t))
	listen := func(addr string) net.Listener {
		t.Helper()
		l, err := net.Listen("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	for range 3 {
		if c, err := net.Dial("tcp", mine); err == nil {
			c.Close()
			t.Fatalf("somebody listens on %s, want nobody", mine)
		}
		l := listen(mine)
		c, err := net.Dial("tcp", mine)
		if err != nil {
			t.Fatal(err)
		}
		c.Close()
		l.Close()
	}
	for range 1000 {
		l := listen("127.0.0.1:0")
		if l.Addr().String() == mine {
			t.Fatalf("%s was given to another", mine)
		}
		defer l.Close()
	}
}
