package scalar

// patience is how many nodes the ordered search visits without a solution before
// it has the fast search look into each branch first. It hardly matters: 20 to
// 400 were measured.
const patience = 50

// ordered calls found with the solutions of the state at the bottom of the stack,
// in lexicographic order, until found returns false or the watch is over.
func (s *search) ordered(found func(*Grid) bool) {
	nodes := 0    // visited since the last solution
	witness := -1 // the state on the stack that s.found is a solution of, if any
	for top := 0; top >= 0 && !s.tick(); {
		t := &s.stack[top]
		if !t.propagate(&s.twos) {
			top--
			continue
		}
		if t.open.empty() {
			t.write(&s.found)
			if !found(&s.found) {
				return
			}
			nodes, witness = 0, -1
			top--
			continue
		}
		if nodes++; nodes > patience && witness != top {
			s.stack[top+1] = *t
			if s.run(top+1, 1) == 0 {
				top--
				continue
			}
			witness = top
		}
		i := t.open.first()
		d := t.smallest(i)
		if witness == top && s.found[i] == d+1 {
			witness++
		}
		s.done.Guesses++
		top++
		s.stack[top] = *t
		s.stack[top].put(d, i)
		t.drop(d, i)
	}
}
