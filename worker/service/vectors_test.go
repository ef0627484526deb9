package service_test

import (
	"encoding/json"
	"maps"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"sudoku/solver/wire"
	"sudoku/worker/local"
	"sudoku/worker/local/natstest"
	"sudoku/worker/service"
)

// A vector is an exchange of solver/wire/testdata, see the README there.
type vector struct {
	Name        string
	Subject     string
	Header      map[string]string
	Request     string
	Reply       []string
	ReplyHeader map[string]string `json:"reply_header"`
}

func vectors(t *testing.T) []vector {
	t.Helper()
	text, err := os.ReadFile("../../solver/wire/testdata/vectors.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var vs []vector
	for line := range strings.Lines(string(text)) {
		var v vector
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		vs = append(vs, v)
	}
	if len(vs) == 0 {
		t.Fatal("no vectors")
	}
	return vs
}

func TestVectors(t *testing.T) {
	for _, c := range []struct {
		name    string
		connect func(*testing.T) *nats.Conn
	}{
		{"in process", inProcess},
		{"over TCP", overTCP},
	} {
		t.Run(c.name, func(t *testing.T) {
			nc := c.connect(t)
			for _, v := range vectors(t) {
				t.Run(v.Name, func(t *testing.T) { exchange(t, nc, v) })
			}
		})
	}
}

func inProcess(t *testing.T) *nats.Conn {
	l, err := local.Start(local.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Stop(t.Context()) })
	nc, err := l.Connect()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

func overTCP(t *testing.T) *nats.Conn {
	server := natstest.Start(t, "")
	var ncs [2]*nats.Conn
	for i := range ncs {
		nc, err := nats.Connect(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(nc.Close)
		ncs[i] = nc
	}
	s, err := service.Start(ncs[0], service.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Stop(t.Context()) })
	return ncs[1]
}

// exchange sends the request of v and compares the replies.
func exchange(t *testing.T, nc *nats.Conn, v vector) {
	m := nats.NewMsg(v.Subject)
	m.Data, m.Reply = []byte(v.Request), nc.NewInbox()
	for name, value := range v.Header {
		m.Header[name] = []string{value}
	}
	sub, err := nc.SubscribeSync(m.Reply)
	if err != nil {
		t.Fatal(err)
	}
	if err := nc.PublishMsg(m); err != nil {
		t.Fatal(err)
	}
	var last *nats.Msg
	for i, want := range v.Reply {
		if last, err = sub.NextMsg(time.Minute); err != nil {
			t.Fatalf("reply %d of %d: %v", i+1, len(v.Reply), err)
		}
		if got := withoutReasons(string(last.Data)); got != want {
			t.Errorf("reply %d = %q, want %q", i+1, got, want)
		}
	}
	if got := headers(last); !maps.Equal(got, v.ReplyHeader) {
		t.Errorf("last reply has headers %v, want %v", got, v.ReplyHeader)
	}
}

// headers returns the headers of m but the text for people.
func headers(m *nats.Msg) map[string]string {
	h := map[string]string{}
	for name := range m.Header {
		if name != wire.HeaderError {
			h[name] = m.Header.Get(name)
		}
	}
	return h
}

// withoutReasons cuts the lines that begin with the word invalid behind it.
func withoutReasons(body string) string {
	lines := strings.SplitAfter(body, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, "invalid ") {
			lines[i] = "invalid\n"
		}
	}
	return strings.Join(lines, "")
}
