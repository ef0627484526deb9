package service

import "time"

// A budget is the time there is for a request.
type budget struct {
	deadline time.Time     // when the requester stops waiting; zero means never
	puzzle   time.Duration // limit for one puzzle
}

// newBudget returns the budget of a request that arrived at a time, by now. No
// timeout is 0.
func newBudget(arrived, timeout, puzzle time.Duration) budget {
	b := budget{puzzle: puzzle}
	if timeout > 0 {
		b.deadline = epoch.Add(arrived + timeout)
	}
	return b
}

// share returns the limit for one of n puzzles that have the rest of the time to
// themselves: that of a puzzle, or its part of the time left where that is less.
// It is below 1 when no time is left.
func (b budget) share(n int) time.Duration {
	if b.deadline.IsZero() {
		return b.puzzle
	}
	return min(b.puzzle, time.Until(b.deadline)/time.Duration(n))
}

func (b budget) over() bool { return b.share(1) < 1 }
