package service

import "time"

// A budget is the time there is for a request.
type budget struct {
	deadline time.Time     // when the requester stops waiting; zero means never
	puzzle   time.Duration // limit for one puzzle
}

func newBudget(arrived time.Time, timeout, puzzle time.Duration) budget {
	b := budget{puzzle: puzzle}
	if timeout > 0 {
		b.deadline = arrived.Add(timeout)
	}
	return b
}

// left returns how much of d there is before the deadline; less than 1 when
// the deadline has passed.
func (b budget) left(d time.Duration) time.Duration {
	if b.deadline.IsZero() {
		return d
	}
	return min(d, time.Until(b.deadline))
}

func (b budget) over() bool { return b.left(1) < 1 }
