package lanes

// A trail is the way of a search in order: what was done to the puzzle, step by step.
type trail struct {
	steps [maxOrdered]step
	n     int
}

// A step keeps some of a cell's digits: the guessed one, or when that has failed all
// others.
type step struct {
	keep  uint16
	cell  uint8
	guess bool
}

// add adds the guess of a digit.
func (t *trail) add(cell int, digit uint16) {
	t.steps[t.n] = step{digit, uint8(cell), true}
	t.n++
}

// turn takes the last guess back, and reports whether there was one. All steps after
// it go as well.
func (t *trail) turn() bool {
	for t.n > 0 {
		last := &t.steps[t.n-1]
		if last.guess {
			*last = step{^last.keep, last.cell, false}
			return true
		}
		t.n--
	}
	return false
}
