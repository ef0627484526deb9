package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"unicode"

	"sudoku/producer/format"
)

// A source is one of the things to read: standard input, a file or an argument.
type source struct {
	name string
	open func() (io.ReadCloser, error)
}

// sources returns what args are; without any, standard input. The error is an
// argument that is nothing to read, or that standard input is a terminal, where
// nobody expects to be read from without a word.
func (p *program) sources(args []string) (all []source, err error) {
	if len(args) == 0 && isTerminal(p.stdin) {
		return nil, fmt.Errorf("no puzzle and no file: %w", errUsage)
	}
	if len(args) == 0 {
		args = []string{"-"}
	}
	for i := 0; i < len(args); {
		s, used, err := p.source(args[i:], i+1)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", err, errUsage)
		}
		all = append(all, s)
		i += used
	}
	return all, nil
}

// source returns what the first of args is, or the first nine where they are the
// rows of a puzzle, and how many that are. What is there as a file is one, also
// if its name could be a puzzle.
func (p *program) source(args []string, number int) (s source, used int, err error) {
	first := args[0]
	info, err := os.Stat(first)
	switch {
	case first == "-":
		return source{"stdin", func() (io.ReadCloser, error) { return io.NopCloser(p.stdin), nil }}, 1, nil
	case err == nil && info.IsDir():
		return source{}, 0, fmt.Errorf("%q is a directory", first)
	case err == nil:
		return source{first, func() (io.ReadCloser, error) { return os.Open(first) }}, 1, nil
	case areRows(args):
		return text(strings.Join(args[:9], " "), number), 9, nil
	case isPuzzle(first):
		return text(first, number), 1, nil
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENAMETOOLONG):
		return source{}, 0, fmt.Errorf("%q is neither a file nor a puzzle of 81 characters nor a command", shorten(first))
	}
	return source{}, 0, err
}

func text(s string, number int) source {
	return source{fmt.Sprintf("argument %d", number), func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(s)), nil }}
}

// areRows reports whether the first nine of args are nine cells each.
func areRows(args []string) bool {
	if len(args) < 9 {
		return false
	}
	for _, row := range args[:9] {
		if len(row) != 9 || hasWords(row) {
			return false
		}
	}
	return true
}

// isPuzzle reports whether a text is a puzzle, or was meant as one: there is
// hardly a puzzle with fewer than 17 clues, nor a name without letters of that
// length.
func isPuzzle(text string) bool {
	for puzzle, err := range format.NewReader(strings.NewReader(text), "", format.Auto).All() {
		if err == nil && puzzle.Err == nil {
			return true
		}
	}
	return len(text) >= 17 && !hasWords(text)
}

// hasWords reports whether a text has letters, apart from x for an empty cell.
func hasWords(text string) bool {
	return strings.ContainsFunc(text, func(c rune) bool { return unicode.IsLetter(c) && c != 'x' && c != 'X' })
}

func shorten(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}
