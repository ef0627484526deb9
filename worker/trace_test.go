package main

import (
	"bytes"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"syscall"
	"testing"

	"github.com/nats-io/nats.go"

	"sudoku/solver/wire"
	"sudoku/worker/local/natstest"
)

// TestExportsSpans has a worker export the span of a request before it ends.
func TestExportsSpans(t *testing.T) {
	t.Parallel()
	const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
	exported := make(chan []byte, 10)
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		exported <- body
	}))
	defer collector.Close()
	server := natstest.Start(t, "")
	p := startWorker(t, "NATS_URL="+server.URL, "OTEL_EXPORTER_OTLP_ENDPOINT="+collector.URL)
	p.await("ready")
	m := &nats.Msg{Subject: wire.SubjectSolve, Data: []byte(puzzle), Header: nats.Header{"traceparent": {"00-" + trace + "-00f067aa0ba902b7-01"}}}
	if _, err := dial(t, server.URL).RequestMsg(m, patience); err != nil {
		t.Fatal(err)
	}
	p.signal(syscall.SIGTERM)
	p.exits(0)
	id, _ := hex.DecodeString(trace)
	close(exported)
	for body := range exported {
		if bytes.Contains(body, id) && bytes.Contains(body, []byte("sudoku-worker")) {
			return
		}
	}
	t.Errorf("the span of the request was not exported")
}
