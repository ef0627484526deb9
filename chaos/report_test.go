package chaos

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"sudoku/solver"
)

// A report says what became of the puzzles of a round.
type report struct {
	exam   exam
	want   func() (known, bool) // the next puzzle
	stop   func()
	n      int // puzzles
	came   int // answers
	faults map[string]int

	doubled, displaced, failed, wrong int
	first                             string // of what is not as it should be
}

func newReport(e exam) *report {
	r := &report{exam: e, n: e.n, faults: map[string]int{}}
	r.want, r.stop = iter.Pull(e.all)
	return r
}

// take looks at the next answer.
func (r *report) take(index int, result solver.Result, err error) {
	k, more := r.want()
	switch {
	case !more || index < r.came:
		r.note(&r.doubled, "answer %d after %d of %d", index, r.came, r.n)
	case index > r.came:
		r.note(&r.displaced, "answer %d in the place of %d", index, r.came)
	case err != nil && !errors.Is(err, solver.ErrNone) && !errors.Is(err, solver.ErrInvalid):
		r.note(&r.failed, "answer %d: %v", index, err)
	case k.differs(result) != "":
		r.note(&r.wrong, "answer %d: %s", index, k.differs(result))
	}
	r.came++
}

func (r *report) note(what *int, format string, args ...any) {
	*what++
	if r.first == "" {
		r.first = fmt.Sprintf(format, args...)
	}
}

// log prints the figures, and ends the test where they are not what they should
// be.
func (r *report) log(t *testing.T) {
	r.stop()
	lost, all := r.n-r.came+r.doubled+r.failed, 0
	var names []string
	for _, name := range slices.Sorted(maps.Keys(r.faults)) {
		names = append(names, fmt.Sprintf("%d %s", r.faults[name], name))
		all += r.faults[name]
	}
	t.Logf("%d puzzles, %d faults, %d lost, %d doubled, %d displaced, %d wrong", r.n, all, lost, r.doubled, r.displaced, r.wrong)
	if all > 0 {
		t.Logf("the faults: %s", strings.Join(names, ", "))
	}
	if lost+r.doubled+r.displaced+r.wrong > 0 {
		t.Errorf("the first of these: %s", r.first)
	}
}
