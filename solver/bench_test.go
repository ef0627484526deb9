package solver_test

import (
	"bufio"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sudoku/solver"
	"sudoku/solver/internal/plain"
)

var setsDir = flag.String("sets", "", "directory of puzzle sets for BenchmarkSets: files *.txt of one puzzle a line")

// BenchmarkSets runs whole sets of puzzles: some made here and those on record that
// have one solution, or else those of a directory:
//
//	go test ./solver -run '^$' -bench Sets -sets DIR
//
// For each set: batch and solve find the smallest solution; limit2 counts up to 2;
// plain does the same by plain backtracking, but gives a puzzle up after a million
// steps, so it would be slower than it looks.
func BenchmarkSets(b *testing.B) {
	for _, set := range sets(b) {
		puzzles := set.puzzles
		b.Run(set.name+"/batch", func(b *testing.B) {
			dst := make([]solver.Result, len(puzzles))
			benchmark(b, len(puzzles), func(int) { solver.SolveBatch(b.Context(), dst, puzzles) })
		})
		b.Run(set.name+"/solve", func(b *testing.B) {
			benchmark(b, 1, func(i int) { solver.Solve(b.Context(), puzzles[i%len(puzzles)]) })
		})
		b.Run(set.name+"/limit2", func(b *testing.B) {
			benchmark(b, 1, func(i int) { solver.Count(b.Context(), puzzles[i%len(puzzles)], 2) })
		})
		b.Run(set.name+"/plain", func(b *testing.B) {
			benchmark(b, 1, func(i int) { plainCount(puzzles[i%len(puzzles)], 1_000_000) })
		})
	}
}

// BenchmarkGrid runs single grids that are hard for one method or another.
func BenchmarkGrid(b *testing.B) {
	for _, grid := range []struct{ name, text string }{
		{"Empty", strings.Repeat(".", 81)},
		{"ImamBayildi", hard},
		{"NorvigImpossible", ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."},
		{"NorvigMultiple", ".....6....59.....82....8....45........3........6..3.54...325..6.................."},
		{"AgainstPlain", "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"},
	} {
		g := parse(b, grid.text)
		b.Run(grid.name, func(b *testing.B) {
			benchmark(b, 1, func(int) { solver.Solve(b.Context(), g) })
		})
	}
}

// benchmark measures f, which does so many puzzles a call.
func benchmark(b *testing.B, puzzles int, f func(i int)) {
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		f(i)
		i++
	}
	b.ReportMetric(float64(i*puzzles)/b.Elapsed().Seconds(), "puzzles/s")
}

// plainCount counts the solutions of g up to 2 by plain backtracking.
func plainCount(g solver.Grid, steps int) (n int) {
	plain.All(g, steps, func([81]uint8) bool { n++; return n < 2 })
	return n
}

type set struct {
	name    string
	puzzles []solver.Grid
}

// sets returns the puzzles to measure.
func sets(b *testing.B) []set {
	if *setsDir == "" {
		return []set{{"made", made(b, 1000)}, {"record", uniqueOnRecord(b)}}
	}
	files, err := filepath.Glob(filepath.Join(*setsDir, "*.txt"))
	if err != nil || len(files) == 0 {
		b.Fatalf("no *.txt in %s: %v", *setsDir, err)
	}
	var sets []set
	for _, file := range files {
		sets = append(sets, set{strings.TrimSuffix(filepath.Base(file), ".txt"), readSet(b, file)})
	}
	return sets
}

// made makes puzzles with one solution and no clue too many.
func made(b *testing.B, n int) (puzzles []solver.Grid) {
	r := newRandom(3)
	for range n {
		g := r.solution()
		for _, i := range r.Perm(81) {
			d := g[i]
			g[i] = 0
			if n, _ := solver.Count(b.Context(), g, 2); n != 1 {
				g[i] = d
			}
		}
		puzzles = append(puzzles, g)
	}
	return puzzles
}

func uniqueOnRecord(b *testing.B) (puzzles []solver.Grid) {
	for _, r := range records(b) {
		if r.count == 1 {
			puzzles = append(puzzles, r.puzzle)
		}
	}
	return puzzles
}

func readSet(b *testing.B, file string) (puzzles []solver.Grid) {
	f, err := os.Open(file)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		puzzles = append(puzzles, parse(b, in.Text()))
	}
	return puzzles
}
