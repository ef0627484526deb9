package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A rate is a number of puzzles in a time. The zero value is as many as possible.
type rate struct {
	every time.Duration // from one puzzle to the next
}

// UnmarshalText reads 500/s, 30/m or 10/h; without a unit it is a second.
func (r *rate) UnmarshalText(text []byte) error {
	number, unit, _ := strings.Cut(string(text), "/")
	per, ok := map[string]time.Duration{"": time.Second, "s": time.Second, "m": time.Minute, "h": time.Hour}[unit]
	n, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || !(n >= 0.001 && n <= 1e9) {
		return fmt.Errorf("%q is not a rate such as 500/s, 30/m or 10/h", text)
	}
	r.every = time.Duration(float64(per) / n)
	return nil
}

// A pace keeps to a rate.
type pace struct {
	rate
	next time.Time // when the next puzzle may go
}

// maxBehind is how much time may be made up for: timers are late, and at a high
// rate by more than one puzzle.
const maxBehind = 100 * time.Millisecond

// wait returns when the next puzzle may go. It returns false when ctx has ended.
func (p *pace) wait(ctx context.Context) bool {
	if p.every == 0 {
		return true
	}
	now := time.Now()
	if p.next.Before(now.Add(-maxBehind)) {
		p.next = now
	}
	pause := p.next.Sub(now)
	p.next = p.next.Add(p.every)
	if pause <= 0 {
		return true
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
