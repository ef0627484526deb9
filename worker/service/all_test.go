package service

import (
	"bytes"
	"strconv"
	"strings"
	"testing"
	"time"

	"sudoku/solver"
	"sudoku/solver/wire"
	"sudoku/worker/local/natstest"
)

var empty = strings.Repeat(".", 81)

// TestAllPages reads replies of several messages, and compares them with the
// search.
func TestAllPages(t *testing.T) {
	for _, c := range []struct {
		name   string
		config string
		limit  int
		pages  []int // solutions of each message
	}{
		{"one", "", 1, []int{1}},
		{"a page", "", 256, []int{256}},
		{"a page and one", "", 257, []int{256, 1}},
		{"no limit given", "", 0, []int{256, 256, 256, 232}},
		{"a server that takes little", "max_payload: 1024", 13, []int{6, 6, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, nc := serveOn(t, natstest.Start(t, c.config), Options{}, solver.SolveBatch)
			var header []string
			if c.limit > 0 {
				header = []string{wire.HeaderLimit, strconv.Itoa(c.limit)}
			}
			e := send(t, nc, wire.SubjectAll, empty, header...)
			var body []byte
			total := 0
			for _, n := range c.pages {
				m := e.reply()
				if got := bytes.Count(m.Data, []byte("\n")); got != n {
					t.Errorf("page of %d solutions, want %d", got, n)
				}
				total += n
				if got, want := m.Header.Get(wire.HeaderCount), strconv.Itoa(total); got != want {
					t.Errorf("page has %s %q, want %q", wire.HeaderCount, got, want)
				}
				body = append(body, m.Data...)
			}
			m := e.want("", "")
			if count, limit := m.Header.Get(wire.HeaderCount), m.Header.Get(wire.HeaderLimit); count != strconv.Itoa(total) || limit != count {
				t.Errorf("end has count %q, limit %q, want %d and %d", count, limit, total, total)
			}
			var want []byte
			for s := range solver.All(t.Context(), solver.Grid{}) {
				if want = append(s.Append(want), '\n'); len(want) == len(body) {
					break
				}
			}
			if !bytes.Equal(body, want) {
				t.Errorf("the %d solutions are not the first ones", total)
			}
		})
	}
}

func TestAllTimesOut(t *testing.T) {
	_, nc := serve(t, Options{Timeout: 5 * time.Millisecond}, solver.SolveBatch)
	e := send(t, nc, wire.SubjectAll, empty, wire.HeaderLimit, strconv.Itoa(wire.MaxAllLimit))
	total := 0
	for {
		m := e.reply()
		if len(m.Data) > 0 {
			total += bytes.Count(m.Data, []byte("\n"))
			continue
		}
		if got := m.Header.Get(wire.HeaderErrorCode); got != "504" {
			t.Errorf("end has code %q, want 504", got)
		}
		if got := m.Header.Get(wire.HeaderCount); got != strconv.Itoa(total) {
			t.Errorf("end has %s %q, want %d", wire.HeaderCount, got, total)
		}
		return
	}
}
