package main

import (
	"context"
	"testing"
	"time"
)

func TestRate(t *testing.T) {
	tests := []struct {
		in   string
		want time.Duration // 0: an error
	}{
		{"500/s", 2 * time.Millisecond},
		{"500", 2 * time.Millisecond},
		{"30/m", 2 * time.Second},
		{"0.5/h", 2 * time.Hour},
		{"1000000000/s", 1},
		{"", 0},
		{"/s", 0},
		{"0/s", 0},
		{"-1/s", 0},
		{"NaN", 0},
		{"Inf/s", 0},
		{"5/d", 0},
		{"1e-300/s", 0},
	}
	for _, tt := range tests {
		var r rate
		err := r.UnmarshalText([]byte(tt.in))
		if r.every != tt.want || (err == nil) != (tt.want > 0) {
			t.Errorf("UnmarshalText(%q) = %v, %v, want %v", tt.in, r.every, err, tt.want)
		}
	}
}

func TestPace(t *testing.T) {
	p := pace{rate: rate{time.Millisecond}}
	start := time.Now()
	for range 21 {
		if !p.wait(t.Context()) {
			t.Fatal("wait = false, want true")
		}
	}
	if d := time.Since(start); d < 20*time.Millisecond {
		t.Errorf("21 puzzles at 1000/s took %v, want 20ms or more", d)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p = pace{rate: rate{time.Hour}}
	p.wait(ctx)
	if p.wait(ctx) {
		t.Errorf("wait under a context that has ended = true, want false")
	}
}
