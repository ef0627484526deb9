package solver_test

import (
	"testing"

	"sudoku/solver"
)

// A solution solves its puzzle, and nothing that differs from it in one cell does.
func TestSolves(t *testing.T) {
	r := newRandom(1)
	for range 20 {
		s := r.solution()
		puzzle := r.puzzle(s, 30)
		if !s.Solves(puzzle) || !s.Solves(solver.Grid{}) {
			t.Fatalf("%s.Solves(%s) = false, want true", s, puzzle)
		}
		for i := range s {
			for d := range uint8(255) {
				if other := s; d != s[i] {
					other[i] = d
					if other.Solves(solver.Grid{}) {
						t.Errorf("Solves with %d in cell %d of %s = true, want false", d, i, s)
					}
				}
			}
			var clue solver.Grid
			clue[i] = s[i]%9 + 1
			if s.Solves(clue) {
				t.Errorf("%s.Solves of another clue in cell %d = true, want false", s, i)
			}
		}
	}
}
