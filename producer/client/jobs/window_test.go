package jobs

import (
	"testing"
	"time"
)

// A link is a server that stores so many chunks a second, one after another, at the
// end of a way that takes so long there and back.
type link struct {
	way  time.Duration
	rate float64

	now    time.Time
	free   time.Time // when the server has stored what it has
	flight []flying  // in order
}

type flying struct{ sent, acknowledged time.Time }

// run sends chunks through w for a time, and returns how many were stored a second
// and how many of them waited for the server, on average.
func (l *link) run(w *window, d time.Duration) (rate, waited float64) {
	each := time.Duration(float64(time.Second) / l.rate)
	stored := 0
	var queued time.Duration
	for end := l.now.Add(d); l.now.Before(end); {
		if len(l.flight) < w.size() {
			arrives := l.now.Add(l.way / 2)
			begins := arrives
			if l.free.After(begins) {
				begins = l.free
			}
			queued += begins.Sub(arrives)
			l.free = begins.Add(each)
			l.flight = append(l.flight, flying{l.now, l.free.Add(l.way / 2)})
			continue
		}
		first := l.flight[0]
		l.flight = l.flight[1:]
		l.now = first.acknowledged
		w.stored(l.now, l.now.Sub(first.sent))
		stored++
	}
	return float64(stored) / d.Seconds(), queued.Seconds() / d.Seconds()
}

// The window is as large as the way needs and not much larger, and becomes so again
// where the way changes.
func TestWindow(t *testing.T) {
	const rate = 5000
	w := newWindow()
	l := &link{rate: rate, now: time.Unix(0, 0)}
	for _, way := range []time.Duration{100 * time.Microsecond, time.Millisecond, 5 * time.Millisecond, 50 * time.Millisecond, 200 * time.Microsecond} {
		l.way = way
		l.run(w, 4*basePeriod) // until it has settled
		got, waited := l.run(w, basePeriod)
		if want := min(rate, mostWindow/(way.Seconds()+1.0/rate)); got < 0.9*want {
			t.Errorf("%v away: %.0f chunks a second with a window of %d, want %.0f", way, got, w.size(), want)
		}
		if waited > 2*manyWait {
			t.Errorf("%v away: %.1f chunks wait for the server with a window of %d, want %d at most", way, waited, w.size(), manyWait)
		}
	}
}
