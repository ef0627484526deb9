package check

import (
	"regexp"
	"slices"
	"testing"
	"time"
)

// A setting is a line of the table of worker -h.
type setting struct{ name, fallback string }

var settingLine = regexp.MustCompile(`(?m)^ +(SUDOKU_[A-Z_]+) +(\S*)`)

// settings returns the variables that the worker reads, and their defaults.
func settings(t *testing.T) []setting {
	t.Helper()
	var all []setting
	for _, m := range settingLine.FindAllStringSubmatch(succeeds(t, program("worker", "-h")), -1) {
		all = append(all, setting{m[1], m[2]})
	}
	if len(all) == 0 {
		t.Fatal("worker -h shows no variables")
	}
	return all
}

// checkEnvironment checks that the worker knows each of the variables.
func checkEnvironment(t *testing.T, where string, names []string) {
	t.Helper()
	known := settings(t)
	for _, name := range names {
		if !slices.ContainsFunc(known, func(s setting) bool { return s.name == name }) {
			t.Errorf("%s: sets %s, which the worker does not know", where, name)
		}
	}
}

// flushing is what a worker may take to send its replies at the end, with some
// time for its end itself.
const flushing = 10 * time.Second

// checkGrace checks that a worker that is told to stop has the time to finish
// a puzzle that takes the longest it may, and to send the answer.
func checkGrace(t *testing.T, where string, grace time.Duration) {
	t.Helper()
	for _, s := range settings(t) {
		if s.name != "SUDOKU_WORKER_TIMEOUT" {
			continue
		}
		limit, err := time.ParseDuration(s.fallback)
		if err != nil {
			t.Fatal(err)
		}
		if want := limit + flushing; grace < want {
			t.Errorf("%s: a worker is killed %v after it is told to stop, want at least %v", where, grace, want)
		}
		return
	}
	t.Fatal("worker -h shows no SUDOKU_WORKER_TIMEOUT")
}
