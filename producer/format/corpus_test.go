package format

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

// example is an input of the corpus and what it holds: grids in 81 characters,
// or line:column: and what is wrong there.
type example struct {
	name  string
	input string
	wants []string
}

// corpus reads testdata/read/*.txt. A line "=== name" begins an example, and
// "--- wants" ends its input and begins what it holds, one a line. A \ at the
// end of an input means that there is no newline.
func corpus(t testing.TB) (all []example) {
	t.Helper()
	files, err := filepath.Glob("testdata/read/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split("\n"+string(text), "\n=== ")[1:] {
			name, part, _ := strings.Cut(part, "\n")
			input, wants, ok := strings.Cut("\n"+part, "\n--- wants\n")
			if !ok || wants == "" {
				t.Fatalf("%s: %s wants nothing", file, name)
			}
			input = strings.TrimPrefix(input+"\n", "\n")
			input = strings.TrimSuffix(input, "\\\n")
			family := strings.TrimSuffix(filepath.Base(file), ".txt")
			all = append(all, example{family + "/" + name, input, strings.Split(strings.TrimSpace(wants), "\n")})
		}
	}
	return all
}

// puzzles returns what is in an input.
func puzzles(t testing.TB, in io.Reader, f Format) (all []Puzzle) {
	t.Helper()
	return collect(t, NewReader(in, "", f))
}

func collect(t testing.TB, r *Reader) (all []Puzzle) {
	t.Helper()
	for p, err := range r.All() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

// summary writes puzzles as the corpus does.
func summary(puzzles []Puzzle) string {
	var b strings.Builder
	for _, p := range puzzles {
		if p.Err != nil {
			b.WriteString(p.Err.Error())
		} else {
			b.WriteString(p.Grid.String())
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// newlines are the ways to end a line.
var newlines = map[string]string{"LF": "\n", "CR LF": "\r\n", "CR": "\r"}

func TestCorpus(t *testing.T) {
	for _, e := range corpus(t) {
		t.Run(e.name, func(t *testing.T) {
			want := strings.Join(e.wants, "\n") + "\n"
			for name, newline := range newlines {
				input := strings.ReplaceAll(e.input, "\n", newline)
				if got := summary(puzzles(t, strings.NewReader(input), Auto)); got != want {
					t.Errorf("with %s, reading\n%s\ngot\n%swant\n%s", name, e.input, got, want)
				}
				checkPuzzles(t, input)
			}
			marked := "\ufeff" + e.input
			if got := summary(puzzles(t, strings.NewReader(marked), Auto)); got != want {
				t.Errorf("with a byte order mark, reading\n%s\ngot\n%swant\n%s", e.input, got, want)
			}
			checkPuzzles(t, marked)
		})
	}
}

// checkPuzzles reads an input in all at once and byte by byte, and looks up
// what is said to stand where.
func checkPuzzles(t *testing.T, input string) {
	t.Helper()
	lines := linesOf(input)
	all := puzzles(t, strings.NewReader(input), Auto)
	if len(all) == 0 || len(all) > len(input)+1 {
		t.Fatalf("read %d puzzles in %q", len(all), input)
	}
	if utf8.ValidString(input) { // else it is not clear what the columns are
		for _, p := range all {
			checkPuzzle(t, p, lines)
		}
	}
	slow := puzzles(t, iotest.OneByteReader(strings.NewReader(input)), Auto)
	if got, want := summary(slow), summary(all); got != want && !strings.Contains(want, jigsaw) {
		t.Errorf("byte by byte, reading\n%q\ngot\n%swant\n%s", input, got, want)
	}
}

func checkPuzzle(t *testing.T, p Puzzle, lines [][]rune) {
	t.Helper()
	if p.Err != nil {
		e := p.Err.(*Error)
		if !isPlace(lines, p.Line, p.Column) || !isPlace(lines, e.Line, e.Column) || e.Reason == "" {
			t.Errorf("puzzle of %d:%d is bad: %v; want a place in the input and a reason", p.Line, p.Column, p.Err)
		}
		return
	}
	for i, d := range p.Grid {
		line, column := p.Position(i)
		if d > 9 || d > 0 && (!isPlace(lines, line, column) || column > len(lines[line-1]) || twin(lines[line-1][column-1]) != '0'+d) {
			t.Errorf("cell %d, a %d, is said to stand at %d:%d, and does not", i, d, line, column)
			return
		}
	}
}

// isPlace reports whether there is such a character, or the end of a line.
func isPlace(lines [][]rune, line, column int) bool {
	return 1 <= line && line <= len(lines) && 1 <= column && column <= len(lines[line-1])+1
}

func linesOf(input string) (lines [][]rune) {
	input = strings.TrimPrefix(input, "\ufeff")
	input = strings.ReplaceAll(strings.ReplaceAll(input, "\r\n", "\n"), "\r", "\n")
	for _, line := range strings.Split(input, "\n") {
		lines = append(lines, runes(line))
	}
	return lines
}

// runes returns the characters of s; a byte that is none is one.
func runes(s string) (all []rune) {
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		all, s = append(all, r), s[size:]
	}
	return all
}

func FuzzReader(f *testing.F) {
	for _, e := range corpus(f) {
		f.Add(e.input)
	}
	for _, e := range corpus(f) {
		f.Add(strings.ReplaceAll(e.input, "\n", "\r"))
	}
	f.Fuzz(func(t *testing.T, input string) { checkPuzzles(t, input) })
}
