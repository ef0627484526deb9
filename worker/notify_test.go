package main

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"sudoku/worker/local/natstest"
)

// manager stands for systemd: it returns the value of NOTIFY_SOCKET for a
// program, and what reads the next state the program is in.
func manager(t *testing.T) (socket string, next func() string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "notify") // t.TempDir() is too long for the name of a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	socket = filepath.Join(dir, "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return socket, func() string {
		t.Helper()
		state := make([]byte, 1000)
		conn.SetReadDeadline(time.Now().Add(patience))
		n, err := conn.Read(state)
		if err != nil {
			t.Fatal(err)
		}
		return string(state[:n])
	}
}

func TestNotifiesSystemd(t *testing.T) {
	t.Parallel()
	server := natstest.Reserve(t, "")
	socket, next := manager(t)
	p := startWorker(t, "NATS_URL="+server.URL, "NOTIFY_SOCKET="+socket)
	p.await("not connected, still trying")
	server.Start()
	p.await("ready")
	if got, want := next(), "READY=1"; got != want {
		t.Errorf("state when serving = %q, want %q", got, want)
	}
	p.signal(syscall.SIGTERM)
	if got, want := next(), "STOPPING=1"; got != want {
		t.Errorf("state after SIGTERM = %q, want %q", got, want)
	}
	p.exits(0)
}

func TestNotificationThatNobodyTakes(t *testing.T) {
	t.Parallel()
	server := natstest.Start(t, "")
	p := startWorker(t, "NATS_URL="+server.URL, "NOTIFY_SOCKET=/nowhere/notify")
	p.await("systemd is not told")
	checkSolves(t, dial(t, server.URL))
	p.signal(syscall.SIGTERM)
	p.exits(0)
}
