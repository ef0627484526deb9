package service

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"
)

// A slot is idle again a while after requests, soon if nobody waited for them.
func TestIdle(t *testing.T) {
	of := func(puzzles int) request {
		return request{Msg: &nats.Msg{Data: []byte(strings.Repeat(strings.Repeat(".", 81)+"\n", puzzles))}}
	}
	for _, tt := range []struct {
		name     string
		requests []request
		after    time.Duration
	}{
		{"one puzzle each", []request{of(1), of(1), of(1)}, lately},
		{"few puzzles", []request{of(fewPuzzles), of(1), of(fewPuzzles)}, lately},
		{"a stream", []request{of(256), of(1), of(256), of(fewPuzzles + 1), of(1), of(256)}, giveWay},
		{"both", []request{of(256), of(1), of(256), of(1), of(1), of(256)}, lately},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := alone(Options{Concurrency: 2}, echo)
			defer s.pool.close()
			defer s.end()
			want := func(n int) {
				t.Helper()
				if got := s.Idle(); got != n || s.quiet() != (n == 2) {
					t.Errorf("%s: %d of 2 slots are idle, and that it is quiet is %v; want %d", tt.name, got, s.quiet(), n)
				}
			}
			want(2)
			s.slots[1].began(now(), tt.requests...)
			want(1)
			time.Sleep(tt.after - time.Nanosecond)
			want(1)
			time.Sleep(time.Nanosecond)
			want(2)
		})
	}
}
