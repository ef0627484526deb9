// Package times counts how long things take, for those who show it to others:
//
//	var h times.Histogram
//	h.Add(time.Since(start))
//	for i := range times.Buckets {
//		fmt.Println(h.Counts[i], "up to", times.Bound(i))
//	}
//
// To add takes a few nanoseconds and no lock; who needs one has it.
package times

import (
	"math/bits"
	"time"
)

// A Histogram counts durations. The zero value is empty.
type Histogram struct {
	Counts [Buckets + 1]uint64 // by bucket: above the Bound of the one before, up to its own; the last has no bound
	Sum    time.Duration
}

// Buckets is the number of buckets of a [Histogram] that have a [Bound].
const Buckets = 25

// leastBound is that of the first bucket; the others are twice that of the one
// before.
const leastBound = 10 * time.Microsecond

// Bound returns the largest duration that bucket i counts: 10 µs for the first,
// 0, and some 3 minutes for the last.
func Bound(i int) time.Duration { return leastBound << i }

// Add counts d; one below 0 counts as 0.
func (h *Histogram) Add(d time.Duration) {
	d = max(d, 0)
	h.Counts[min(bits.Len64(uint64(max(d-1, 0)/leastBound)), Buckets)]++
	h.Sum += d
}

// Merge counts all that o has.
func (h *Histogram) Merge(o *Histogram) {
	for i, n := range o.Counts {
		h.Counts[i] += n
	}
	h.Sum += o.Sum
}
