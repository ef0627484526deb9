package local_test

import (
	"context"
	"testing"
	"time"

	"go.uber.org/goleak"

	"sudoku/solver/wire"
	"sudoku/worker/local"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestSolve(t *testing.T) {
	l, err := local.Start(local.Options{})
	if err != nil {
		t.Fatal(err)
	}
	nc, err := l.Connect()
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	const (
		puzzle   = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
		solution = "483921657967345821251876493548132976729564138136798245372689514814253769695417382 unique\n"
	)
	m, err := nc.Request(wire.SubjectSolve, []byte(puzzle), 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(m.Data); got != solution {
		t.Errorf("solve %s = %q, want %q", puzzle, got, solution)
	}
	for range 2 {
		if err := l.Stop(context.Background()); err != nil {
			t.Errorf("Stop = %v, want nil", err)
		}
	}
}
