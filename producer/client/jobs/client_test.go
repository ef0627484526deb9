package jobs_test

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"sudoku/producer/client/jobs"
)

func TestOldServer(t *testing.T) {
	tests := []struct {
		version string
		want    error
	}{
		{"1.4.1", jobs.ErrOldServer},
		{"2.9.25", jobs.ErrOldServer},
		{"2.10.0", nil},
		{"2.15.3", nil},
		{"3.0.0", nil},
		{"latest", nil},
	}
	for _, tt := range tests {
		t.Run(tt.version, func(t *testing.T) {
			nc, err := nats.Connect(pretend(t, tt.version))
			if err != nil {
				t.Fatal(err)
			}
			defer nc.Close()
			_, err = jobs.New(nc, jobs.Options{})
			if !errors.Is(err, tt.want) || err != nil && !strings.Contains(err.Error(), tt.version) {
				t.Errorf("New with a server %s = %v, want %v and the version", tt.version, err, tt.want)
			}
		})
	}
}

// pretend returns the URL of something that takes one connection and says that
// it is a server of a version.
func pretend(t *testing.T, version string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		fmt.Fprintf(conn, "INFO {\"version\":%q,\"headers\":true,\"max_payload\":1048576}\r\n", version)
		for s := bufio.NewScanner(conn); s.Scan(); {
			if s.Text() == "PING" {
				fmt.Fprint(conn, "PONG\r\n")
			}
		}
	}()
	return "nats://" + l.Addr().String()
}
