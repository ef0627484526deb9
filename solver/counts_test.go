package solver_test

import (
	_ "embed"
	"strconv"
	"strings"
	"testing"

	"sudoku/solver"
)

//go:embed testdata/counts.txt
var countsText string

// A record is a puzzle whose solutions somebody else has counted.
type record struct {
	puzzle   solver.Grid
	count    int
	atLeast  bool        // there may be more than count
	smallest solver.Grid // zero if there is no solution
}

// records reads testdata/counts.txt.
func records(t testing.TB) (all []record) {
	t.Helper()
	for line := range strings.Lines(countsText) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		f := strings.Split(line, ":")
		if len(f) != 3 {
			t.Fatalf("counts.txt: %q is not puzzle:count:solution", line)
		}
		count, atLeast := strings.CutPrefix(f[1], ">=")
		r := record{puzzle: parse(t, f[0]), atLeast: atLeast}
		var err error
		if r.count, err = strconv.Atoi(count); err != nil {
			t.Fatalf("counts.txt: %v", err)
		}
		if f[2] != "" {
			r.smallest = parse(t, f[2])
		}
		all = append(all, r)
	}
	if len(all) == 0 {
		t.Fatal("counts.txt has no puzzles")
	}
	return all
}

func parse(t testing.TB, text string) solver.Grid {
	t.Helper()
	g, err := solver.Parse(text)
	if err != nil {
		t.Fatalf("Parse(%q): %v", text, err)
	}
	return g
}

// result is the answer to r.puzzle.
func (r record) result() solver.Result {
	switch r.count {
	case 0:
		return solver.Result{Status: solver.None}
	case 1:
		return solver.Result{Status: solver.Unique, Solution: r.smallest}
	default:
		return solver.Result{Status: solver.Multiple, Solution: r.smallest}
	}
}

// TestCountsOnRecord counts up to a million; where there are more, or the total is
// not known, ten thousand will do.
func TestCountsOnRecord(t *testing.T) {
	for _, r := range records(t) {
		limit := 1_000_000
		if r.atLeast || r.count >= limit {
			limit = 10_000
		}
		if n, err := solver.Count(t.Context(), r.puzzle, limit); n != min(r.count, limit) || err != nil {
			t.Errorf("Count(%v, %d) = %d, %v, want %d", r.puzzle, limit, n, err, r.count)
		}
	}
}

func TestSmallestOnRecord(t *testing.T) {
	for _, r := range records(t) {
		if got, _ := solver.Solve(t.Context(), r.puzzle); got != r.result() {
			t.Errorf("Solve(%v) = %v, want %v", r.puzzle, got, r.result())
		}
		for s := range solver.All(t.Context(), r.puzzle) {
			if s != r.smallest {
				t.Errorf("All(%v) yields %v first, want %v", r.puzzle, s, r.smallest)
			}
			break
		}
	}
}

// TestEffort bounds the work for each puzzle on record, some of which took other
// programs hours, in looks at the context: a search looks every 256 nodes, which is
// less than a millisecond.
func TestEffort(t *testing.T) {
	const most = 8
	for _, r := range records(t) {
		ctx := looks(most)
		if got, _ := solver.Solve(ctx, r.puzzle); got.Status == solver.Timeout {
			t.Errorf("Solve(%v) takes more than %d looks at the context", r.puzzle, most)
		}
	}
}

// TestAllCounts walks through all solutions where they are not too many.
func TestAllCounts(t *testing.T) {
	for _, r := range records(t) {
		if r.count > 10_000 {
			continue
		}
		n := 0
		for range solver.All(t.Context(), r.puzzle) {
			n++
		}
		if n != r.count {
			t.Errorf("All(%v) yields %d, want %d", r.puzzle, n, r.count)
		}
	}
}
