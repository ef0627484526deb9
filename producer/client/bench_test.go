package client_test

import (
	"fmt"
	"iter"
	"testing"

	"sudoku/producer/client"
	"sudoku/solver"
)

// The cost of the queue is the difference to BenchmarkSolver on the same puzzle
// and CPUs.
func BenchmarkSolveAll(b *testing.B) {
	nc := embedded(b)
	for _, batch := range []int{1, 256} {
		b.Run(fmt.Sprintf("easy/batch=%d", batch), func(b *testing.B) {
			c := newClient(b, nc, client.Options{Batch: batch})
			b.ReportAllocs()
			for _, err := range c.SolveAll(b.Context(), times(parse(b, easy), b.N)) {
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func times(g solver.Grid, n int) iter.Seq[solver.Grid] {
	return func(yield func(solver.Grid) bool) {
		for range n {
			if !yield(g) {
				return
			}
		}
	}
}

func BenchmarkSolve(b *testing.B) {
	c := newClient(b, embedded(b), client.Options{})
	g := parse(b, easy)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Solve(b.Context(), g); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSolver(b *testing.B) {
	src := repeat(parse(b, easy), 256)
	b.RunParallel(func(pb *testing.PB) {
		dst := make([]solver.Result, len(src))
		for pb.Next() {
			solver.SolveBatch(b.Context(), dst, src)
		}
	})
	b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N*len(src)), "ns/puzzle")
}
