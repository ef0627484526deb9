package format

import (
	"fmt"
	"strings"
)

// Form is a way to print answers. The zero value is AsLine.
type Form uint8

// The forms.
const (
	AsLine   Form = iota // one line an answer
	AsGrid               // nine lines of nine digits
	AsSpaced             // nine lines of nine digits with spaces
	AsPretty             // nine lines with lines between the boxes
	AsJSON               // one object a line
	AsCSV                // one record a line, after a header
)

// Forms lists every form, for a help text.
var Forms = []Form{AsLine, AsGrid, AsSpaced, AsPretty, AsJSON, AsCSV}

var forms = [...]struct{ name, about string }{
	AsLine:   {"line", "81 digits, or what became of the puzzle"},
	AsGrid:   {"grid", "nine lines of nine digits, or Not Possible"},
	AsSpaced: {"spaced", "nine lines of nine digits with spaces, or Not Possible"},
	AsPretty: {"pretty", "nine lines with lines between the boxes, or Not Possible"},
	AsJSON:   {"json", "one object a line"},
	AsCSV:    {"csv", "one record a line, after a header"},
}

// String returns the name of f, as [ParseForm] reads it.
func (f Form) String() string { return forms[f].name }

// About describes f in one line.
func (f Form) About() string { return forms[f].about }

// ParseForm returns the form of a name. The error lists the names there are.
func ParseForm(name string) (Form, error) {
	names := make([]string, len(forms))
	for f := range forms {
		if names[f] = forms[f].name; names[f] == name {
			return Form(f), nil
		}
	}
	return AsLine, fmt.Errorf("unknown form %q, want %s", name, strings.Join(names, ", "))
}
