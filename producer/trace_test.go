package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"
)

// TestExportsSpans has a producer export the spans of a run, its own and those of
// the worker inside.
func TestExportsSpans(t *testing.T) {
	exported := make(chan []byte, 10)
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		exported <- body
	}))
	defer collector.Close()
	c := exec.Command("producer", "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
	c.Env = append(os.Environ(), "SUDOKU_NATS_URL=", "NATS_URL=", "OTEL_EXPORTER_OTLP_ENDPOINT="+collector.URL)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	close(exported)
	var all []byte
	for body := range exported {
		all = append(all, body...)
	}
	for _, text := range []string{"sudoku-producer", "producer solve", "sudoku.v1.solve", "taken"} {
		if !bytes.Contains(all, []byte(text)) {
			t.Errorf("the exported spans do not have %q", text)
		}
	}
}
