package format

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"sudoku/solver"
)

func TestNextWaitsForNoMore(t *testing.T) {
	in, out := io.Pipe()
	defer in.Close()
	r := NewReader(in, "", Auto)
	for _, text := range []string{puzzle + "\n", puzzle + "\r", "\n" + puzzle + " # more\n"} {
		go io.WriteString(out, text)
		p, err := r.Next()
		if err != nil || p.Grid != grid(t, puzzle) {
			t.Errorf("Next() after %q = %+v, %v, want the puzzle", text, p, err)
		}
	}
}

func TestNextReturnsReadErrors(t *testing.T) {
	broken := errors.New("disk on fire")
	r := NewReader(io.MultiReader(strings.NewReader(puzzle+"\n12"), iotest.ErrReader(broken)), "", Auto)
	if p, err := r.Next(); err != nil || p.Grid != grid(t, puzzle) {
		t.Errorf("Next() = %+v, %v, want the puzzle", p, err)
	}
	for range 2 {
		if p, err := r.Next(); err != broken || p != (Puzzle{}) {
			t.Errorf("Next() = %+v, %v, want the error of the reader", p, err)
		}
	}
}

func TestLocate(t *testing.T) {
	r := NewReader(strings.NewReader("\n 55"+strings.Repeat(".", 79)+" \n"), "in.txt", Auto)
	p, err := r.Next()
	if err != nil || p.Err != nil {
		t.Fatalf("Next() = %+v, %v", p, err)
	}
	got := p.Locate(p.Grid.Check())
	if want := "in.txt:2:3: row 1, column 2 repeats the 5 of row 1, column 1 in row 1"; got == nil || got.Error() != want {
		t.Errorf("Locate = %v, want %s", got, want)
	}
	if !errors.Is(got, solver.ErrInvalid) {
		t.Errorf("Locate = %v, want an ErrInvalid", got)
	}
}
