package service

import "time"

// lately is how long a slot is not idle after requests that people wait for.
const lately = 500 * time.Millisecond

// People wait for requests of so few puzzles. A stream of puzzles, which is sent for
// its rate, has parts of any size, but hardly three so small within half a second.
const fewPuzzles = 2

// began takes note that w answers requests from now on.
func (w *worker) began(now time.Duration, requests ...request) {
	w.served.Store(int64(now))
	for i := range requests {
		if requests[i].puzzles() <= fewPuzzles {
			w.recent = [...]time.Duration{w.recent[1], w.recent[2], now}
			w.awaited.Store(int64(w.recent[0]))
		}
	}
}

// unserved returns how long ago w began with its last request.
func (w *worker) unserved() time.Duration { return now() - time.Duration(w.served.Load()) }

// idle reports whether nobody has waited for w lately, and it gives way to nobody.
func (w *worker) idle() bool {
	return w.unserved() >= giveWay && now()-time.Duration(w.awaited.Load()) >= lately
}

// Idle returns how many slots have had no request lately, of Options.Concurrency.
func (s *Service) Idle() (n int) {
	for _, w := range s.slots {
		if w.idle() {
			n++
		}
	}
	return n
}

// quiet reports whether there were no requests lately.
func (s *Service) quiet() bool { return s.Idle() == len(s.slots) }
