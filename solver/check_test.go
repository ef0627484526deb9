package solver_test

import (
	"errors"
	"testing"

	"sudoku/solver"
)

// grid returns an empty grid but for some cells.
func grid(cells map[int]uint8) (g solver.Grid) {
	for i, d := range cells {
		g[i] = d
	}
	return g
}

func TestCheck(t *testing.T) {
	tests := []struct {
		name string
		grid solver.Grid
		want error // nil, or a *DigitError or *ConflictError
		text string
	}{
		{"empty", solver.Grid{}, nil, ""},
		{"last cell", grid(map[int]uint8{80: 9}), nil, ""},
		{"same digit apart", grid(map[int]uint8{0: 1, 13: 1, 80: 1}), nil, ""},
		{"10", grid(map[int]uint8{3: 10}), &solver.DigitError{Cell: 3, Digit: 10},
			"row 1, column 4: 10 is not a digit 1 to 9"},
		{"16, like an empty cell but for its high bits", grid(map[int]uint8{80: 16}), &solver.DigitError{Cell: 80, Digit: 16},
			"row 9, column 9: 16 is not a digit 1 to 9"},
		{"255", grid(map[int]uint8{40: 255}), &solver.DigitError{Cell: 40, Digit: 255},
			"row 5, column 5: 255 is not a digit 1 to 9"},
		{"row", grid(map[int]uint8{9: 5, 17: 5}), &solver.ConflictError{Digit: 5, House: solver.Row, Number: 1, First: 9, Second: 17},
			"row 2, column 9 repeats the 5 of row 2, column 1 in row 2"},
		{"column", grid(map[int]uint8{8: 9, 80: 9}), &solver.ConflictError{Digit: 9, House: solver.Column, Number: 8, First: 8, Second: 80},
			"row 9, column 9 repeats the 9 of row 1, column 9 in column 9"},
		{"box", grid(map[int]uint8{60: 1, 70: 1, 80: 2}), &solver.ConflictError{Digit: 1, House: solver.Box, Number: 8, First: 60, Second: 70},
			"row 8, column 8 repeats the 1 of row 7, column 7 in box 9"},
		{"row before box", grid(map[int]uint8{0: 1, 1: 1}), &solver.ConflictError{Digit: 1, House: solver.Row, Number: 0, First: 0, Second: 1},
			"row 1, column 2 repeats the 1 of row 1, column 1 in row 1"},
		{"first cell that repeats", grid(map[int]uint8{0: 1, 1: 2, 9: 2, 80: 1, 72: 1}), &solver.ConflictError{Digit: 2, House: solver.Box, Number: 0, First: 1, Second: 9},
			"row 2, column 1 repeats the 2 of row 1, column 2 in box 1"},
		{"digit error before conflict", grid(map[int]uint8{0: 1, 1: 1, 80: 10}), &solver.DigitError{Cell: 80, Digit: 10},
			"row 9, column 9: 10 is not a digit 1 to 9"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := test.grid.Check()
			if test.want == nil {
				if err != nil {
					t.Errorf("Check() = %v, want nil", err)
				}
				return
			}
			if err == nil || err.Error() != test.text || !same(err, test.want) || !errors.Is(err, solver.ErrInvalid) {
				t.Errorf("Check() = %#v (%v), want %#v (%s)", err, err, test.want, test.text)
			}
		})
	}
}

// same reports whether two errors have the same type and fields.
func same(err, want error) bool {
	var digit, wantDigit *solver.DigitError
	if errors.As(err, &digit) && errors.As(want, &wantDigit) {
		return *digit == *wantDigit
	}
	var conflict, wantConflict *solver.ConflictError
	return errors.As(err, &conflict) && errors.As(want, &wantConflict) && *conflict == *wantConflict
}

// Every two equal digits in a house are found, and no others.
func TestCheckPairs(t *testing.T) {
	r := newRandom(2)
	for i := range 81 {
		for k := range i {
			d := uint8(1 + r.IntN(9))
			meet := i/9 == k/9 || i%9 == k%9 || i/27 == k/27 && i%9/3 == k%9/3
			if err := grid(map[int]uint8{i: d, k: d}).Check(); (err != nil) != meet {
				t.Errorf("Check() of a %d in the cells %d and %d = %v, want an error: %t", d, k, i, err, meet)
			}
			if err := grid(map[int]uint8{i: d, k: d%9 + 1}).Check(); err != nil {
				t.Errorf("Check() of different digits in the cells %d and %d = %v, want nil", k, i, err)
			}
		}
	}
}

// A search and Check agree on what is invalid.
func TestInvalid(t *testing.T) {
	for _, g := range []solver.Grid{parse(t, broken), grid(map[int]uint8{3: 10}), grid(map[int]uint8{80: 16}), grid(map[int]uint8{0: 255})} {
		want := g.Check()
		if r, err := solver.Solve(t.Context(), g); r != (solver.Result{Status: solver.Invalid}) || err == nil || !same(err, want) {
			t.Errorf("Solve(%v) = %v, %v, want %v", g, r, err, want)
		}
		if n, err := solver.Count(t.Context(), g, 2); n != 0 || err == nil || !same(err, want) {
			t.Errorf("Count(%v) = %d, %v, want 0, %v", g, n, err, want)
		}
		for s := range solver.All(t.Context(), g) {
			t.Errorf("All(%v) yields %v, want nothing", g, s)
		}
	}
}

// TestComplete compares Complete with a count of the digits of each house, on
// solutions and on solutions with cells changed.
func TestComplete(t *testing.T) {
	houses := func(g solver.Grid) bool {
		for h := range 9 {
			var row, column, box [256]int
			for i := range 9 {
				row[g[9*h+i]]++
				column[g[9*i+h]]++
				box[g[h/3*27+h%3*3+i/3*9+i%3]]++
			}
			for d := 1; d <= 9; d++ {
				if row[d] != 1 || column[d] != 1 || box[d] != 1 {
					return false
				}
			}
		}
		return true
	}
	r := newRandom(7)
	solutions := make([]solver.Grid, 50)
	for i := range solutions {
		solutions[i] = r.solution()
	}
	complete := 0
	for i := range 20_000 {
		g := r.relabel(solutions[i%len(solutions)])
		switch r.IntN(5) {
		case 0:
			g[r.IntN(81)] = uint8(r.IntN(256))
		case 1: // digits for one another, in some cells
			a, b := uint8(r.IntN(10)), uint8(r.IntN(10))
			for i, d := range g {
				if d == a && r.IntN(3) > 0 {
					g[i] = b
				}
			}
		case 2: // rows stay
			a, b := 9*r.IntN(9), 9*r.IntN(9)
			i, j := r.IntN(9), r.IntN(9)
			g[a+i], g[a+j] = g[a+j], g[a+i]
			g[b+i], g[b+j] = g[b+j], g[b+i]
		case 3: // rows and columns stay
			a, b := 9*r.IntN(9), 9*r.IntN(9)
			for i := range 9 {
				g[a+i], g[b+i] = g[b+i], g[a+i]
			}
		}
		want := houses(g)
		if want {
			complete++
		}
		if got := g.Complete(); got != want {
			t.Fatalf("Complete(%v) = %v, want %v", g, got, want)
		}
	}
	if complete < 4000 || complete > 12_000 {
		t.Errorf("%d of 20000 grids are complete, want some thousands", complete)
	}
}
