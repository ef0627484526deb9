package config

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// checkNames returns an [*Error] for the first of environ, entries in the form
// NAME=value, that is not empty and whose name begins with our prefix and is not
// one of ours.
func checkNames(environ []string) error {
	known := make([]string, 0, 16)
	for _, v := range variables() {
		known = append(known, v.Name)
	}
	for _, entry := range slices.Sorted(slices.Values(environ)) {
		name, value, _ := strings.Cut(entry, "=")
		if value == "" || !strings.HasPrefix(name, prefix+"_") || slices.Contains(known, name) || injected(name, value) {
			continue
		}
		return &Error{Name: name, Text: fmt.Sprintf("no such variable, did you mean %s?", nearest(name, known))}
	}
	return nil
}

// serviceLink matches the names that Kubernetes gives every container for each
// service of its namespace, here for services called sudoku or sudoku-something.
// Docker's links have some of them too.
var serviceLink = regexp.MustCompile(`^` + prefix + `(_[A-Z0-9_]+?)??_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT(_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$`)

// injected reports whether a variable is there because of a service's name. One
// that ends in the bare PORT is so only if it has a URL, as in
// tcp://10.0.0.1:4222.
func injected(name, value string) bool {
	m := serviceLink.FindStringSubmatch(name)
	return m != nil && (m[2] != "PORT" || strings.Contains(value, "://"))
}

// nearest returns the one of known that takes the fewest edits to make of name.
func nearest(name string, known []string) string {
	return slices.MinFunc(known, func(a, b string) int { return edits(name, a) - edits(name, b) })
}

// edits returns how many letters must be put in, left out or replaced to make b
// of a (the Levenshtein distance).
func edits(a, b string) int {
	row := make([]int, len(b)+1) // edits to make b[:j] of the part of a so far
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
