package solver_test

import (
	"testing"

	"sudoku/solver"
)

// BenchmarkText is what a puzzle and its solution cost on their way through the
// queue, beside the search.
func BenchmarkText(b *testing.B) {
	puzzle := parse(b, hard)
	r, err := solver.Solve(b.Context(), puzzle)
	if err != nil {
		b.Fatal(err)
	}
	text, buf := puzzle.Append(nil), make([]byte, 0, 81)
	for _, c := range []struct {
		name string
		f    func(i int)
	}{
		{"Parse", func(int) { solver.Parse(text) }},
		{"Set", func(int) { puzzle.Set(text) }},
		{"Append", func(int) { buf = r.Solution.Append(buf[:0]) }},
		{"Check", func(int) { puzzle.Check() }},
		{"Complete", func(int) { r.Solution.Complete() }},
		{"Keeps", func(int) { r.Solution.Keeps(&puzzle) }},
	} {
		b.Run(c.name, func(b *testing.B) { benchmark(b, 1, c.f) })
	}
}
