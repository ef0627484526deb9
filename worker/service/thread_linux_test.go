package service

import (
	"context"
	"testing"

	"golang.org/x/sys/unix"

	"sudoku/solver"
)

// Background searches have threads of low priority, and requests have others.
func TestPriority(t *testing.T) {
	own, err := unix.Getpriority(unix.PRIO_PROCESS, 0)
	if err != nil {
		t.Fatal(err)
	}
	nice := make(chan int, 1)
	s, nc := serve(t, Options{Concurrency: 1}, func(ctx context.Context, dst []solver.Result, src []solver.Grid) {
		n, err := unix.Getpriority(unix.PRIO_PROCESS, 0)
		if err != nil {
			t.Error(err)
		}
		nice <- 20 - n // what the system call returns is never negative
		echo(ctx, dst, src)
	})
	disturb(s)
	if err := s.Solve(t.Context(), make([]solver.Result, 1), grids(1)); err != nil {
		t.Fatal(err)
	}
	if got, want := <-nice, max(20-own, niceness); got != want {
		t.Errorf("nice value of a background search is %d, want %d", got, want)
	}
	send(t, nc, "sudoku.v1.solve", easy).reply()
	if got, want := <-nice, 20-own; got != want {
		t.Errorf("nice value of a request is %d, want %d", got, want)
	}
}
