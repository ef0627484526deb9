package times

import (
	"testing"
	"time"
)

func TestAdd(t *testing.T) {
	for _, tt := range []struct {
		d      time.Duration
		bucket int
	}{
		{-1, 0},
		{0, 0},
		{1, 0},
		{10 * time.Microsecond, 0},
		{10*time.Microsecond + 1, 1},
		{20 * time.Microsecond, 1},
		{20*time.Microsecond + 1, 2},
		{Bound(Buckets - 1), Buckets - 1},
		{Bound(Buckets-1) + 1, Buckets},
		{24 * time.Hour, Buckets},
	} {
		var h, want Histogram
		h.Add(tt.d)
		want.Counts[tt.bucket], want.Sum = 1, max(tt.d, 0)
		if h != want {
			t.Errorf("Add(%v) = %+v, want %+v", tt.d, h, want)
		}
	}
}

func TestMerge(t *testing.T) {
	var all, some, others Histogram
	for _, d := range []time.Duration{time.Microsecond, time.Millisecond, time.Hour} {
		all.Add(d)
		all.Add(2 * d)
		some.Add(d)
		others.Add(2 * d)
	}
	if some.Merge(&others); some != all {
		t.Errorf("Merge = %+v, want %+v", some, all)
	}
}
