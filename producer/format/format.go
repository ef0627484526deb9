package format

import (
	"fmt"
	"strings"
)

// Format is a way to write puzzles down. The zero value, Auto, reads them all.
type Format uint8

// The formats. Anything but Auto reads that format only and reports everything
// else as bad.
const (
	Auto   Format = iota // find out for every puzzle anew
	Line                 // 81 characters a line
	Grid                 // nine rows
	Column               // 81 lines of one cell
	CSV                  // a table with a header
	JSON                 // arrays and objects, source code
	HoDoKu               // HoDoKu library lines
	XML                  // OpenSudoku and the like
	Link                 // a web address with 81 cells in it
)

// Formats lists every format, for a help text.
var Formats = []Format{Auto, Line, Grid, Column, CSV, JSON, HoDoKu, XML, Link}

var formats = [...]struct{ name, about string }{
	Auto:   {"auto", "find out for every puzzle anew"},
	Line:   {"line", "81 characters a line, blanks . 0 * _ - x X ?, more after a delimiter (.sdm)"},
	Grid:   {"grid", "nine rows, compact or separated, with or without rules (.sdk, .ss, .spf)"},
	Column: {"column", "81 lines of one cell"},
	CSV:    {"csv", "a table with a header: the column puzzle, quizzes, …"},
	JSON:   {"json", "arrays, strings or objects, JSON lines, arrays in source code"},
	HoDoKu: {"hodoku", "HoDoKu library lines"},
	XML:    {"xml", "OpenSudoku and other XML with 81 cells in an attribute or element"},
	Link:   {"link", "web addresses with 81 cells in them"},
}

// String returns the name of f, as [ParseFormat] reads it.
func (f Format) String() string { return formats[f].name }

// About describes f in one line.
func (f Format) About() string { return formats[f].about }

// ParseFormat returns the format of a name. The error lists the names there
// are.
func ParseFormat(name string) (Format, error) {
	names := make([]string, len(formats))
	for f := range formats {
		if names[f] = formats[f].name; names[f] == name {
			return Format(f), nil
		}
	}
	return Auto, fmt.Errorf("unknown format %q, want %s", name, strings.Join(names, ", "))
}

// reads reports whether f includes the format g.
func (f Format) reads(g Format) bool { return f == Auto || f == g }
