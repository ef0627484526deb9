package main

import (
	"io"
	"log/slog"
	"net"
	"os"
)

// tell says to systemd what state the program is in, READY=1 or STOPPING=1. A
// systemd that cannot be told is no reason not to work.
func tell(log *slog.Logger, state string) {
	if err := notify(os.Getenv("NOTIFY_SOCKET"), state); err != nil {
		log.Warn("systemd is not told", "state", state, "error", err)
	}
}

// notify does what sd_notify(3) does. The socket is empty where systemd does not
// wait for it.
func notify(socket, state string) error {
	if socket == "" {
		return nil
	}
	conn, err := net.Dial("unixgram", socket)
	if err != nil {
		return err
	}
	defer conn.Close()
	_, err = io.WriteString(conn, state)
	return err
}
