package lanes

// A trail is the way of a search in order: what was done to its start, step by step.
type trail struct {
	start [81]uint16 // candidates of each cell
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

// guessed reports whether there is a guess that may be taken back.
func (t *trail) guessed() bool {
	for _, step := range t.steps[:t.n] {
		if step.guess {
			return true
		}
	}
	return false
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
