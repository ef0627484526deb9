package format_test

import (
	"fmt"
	"os"
	"strings"

	"sudoku/producer/format"
)

func Example() {
	input := strings.NewReader(`# two puzzles, and one with a cell too few
1.23......9..82..4.........8..6.597...9.2...3.7.....8..2...3....4.7......5...4138
1.23......9..82..4.........8..6.597...9.2...3.7.....8..2...3....4.7......5...413
{"puzzle": "1.23......9..82..4.........8..6.597...9.2...3.7.....8..2...3....4.7......5...4138"}
`)
	w := format.NewWriter(os.Stdout, format.AsLine, false)
	for p, err := range format.NewReader(input, "puzzles.txt", format.Auto).All() {
		switch {
		case err != nil:
			fmt.Println("reading:", err)
		case p.Err != nil:
			w.Write(&format.Answer{File: p.File, Line: p.Line, Text: p.Text, Status: "invalid", Error: p.Err.Error()})
		default:
			w.Write(&format.Answer{File: p.File, Line: p.Line, Puzzle: p.Grid})
		}
	}
	w.Flush()
	// Output:
	// 1.23......9..82..4.........8..6.597...9.2...3.7.....8..2...3....4.7......5...4138
	// invalid
	// 1.23......9..82..4.........8..6.597...9.2...3.7.....8..2...3....4.7......5...4138
}
