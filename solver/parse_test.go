package solver_test

import (
	"errors"
	"strings"
	"testing"

	"sudoku/solver"
)

func TestParseErrors(t *testing.T) {
	empty := strings.Repeat(".", 81)
	tests := []struct {
		name, text string
		want       solver.ParseError
		message    string
	}{
		{"nothing", "", solver.ParseError{Cell: 0, Len: 0}, "0 characters, want 81"},
		{"80", empty[1:], solver.ParseError{Cell: 80, Len: 80}, "80 characters, want 81"},
		{"82", empty + ".", solver.ParseError{Cell: 81, Len: 82}, "82 characters, want 81"},
		{"letter", "O" + empty[1:], solver.ParseError{Cell: 0, Text: "O", Len: 81},
			`row 1, column 1: unexpected "O", want a digit 1 to 9, or . or 0 for an empty cell`},
		{"last", empty[1:] + ":", solver.ParseError{Cell: 80, Text: ":", Len: 81},
			`row 9, column 9: unexpected ":", want a digit 1 to 9, or . or 0 for an empty cell`},
		{"first of two", "..*.x" + empty[5:], solver.ParseError{Cell: 2, Text: "*", Len: 81},
			`row 1, column 3: unexpected "*", want a digit 1 to 9, or . or 0 for an empty cell`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			g, err := solver.Parse(test.text)
			var parse *solver.ParseError
			if g != (solver.Grid{}) || !errors.As(err, &parse) || *parse != test.want || err.Error() != test.message {
				t.Errorf("Parse(%q) = %v, %v, want %v", test.text, g, err, test.message)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add("")
	f.Add(hard)
	f.Add(strings.ReplaceAll(hard, ".", "0"))
	f.Add(strings.Repeat("x", 81))
	f.Add(strings.Repeat("é", 40) + ".")
	f.Fuzz(func(t *testing.T, text string) {
		g, err := solver.Parse(text)
		if h, err2 := solver.Parse([]byte(text)); h != g || (err == nil) != (err2 == nil) {
			t.Errorf("Parse([]byte(%q)) = %v, %v, want %v, %v", text, h, err2, g, err)
		}
		if err == nil {
			if want := strings.ReplaceAll(text, "0", "."); g.String() != want {
				t.Errorf("Parse(%q).String() = %q, want %q", text, g, want)
			}
			return
		}
		var p *solver.ParseError
		if g != (solver.Grid{}) || !errors.As(err, &p) || !errors.Is(err, solver.ErrInvalid) || p.Cell < 0 || p.Cell > 81 || p.Len != len(text) {
			t.Errorf("Parse(%q) = %v, %#v, want an empty grid and a ParseError of a cell", text, g, err)
		}
	})
}
