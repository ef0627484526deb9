package format

import (
	"errors"
	"io"
	"math/rand/v2"
	"slices"
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
	for _, begun := range []string{"", "12", nineRows(puzzle), `[[1,2],`, `{"puzzle": "` + puzzle, "quizzes,solutions\n" + puzzle, "1\n2\n"} {
		r := NewReader(io.MultiReader(strings.NewReader(puzzle+"\n"+begun), iotest.ErrReader(broken)), "", Auto)
		if p, err := r.Next(); err != nil || p.Grid != grid(t, puzzle) {
			t.Errorf("Next() = %+v, %v, want the puzzle", p, err)
		}
		for range 2 {
			if p, err := r.Next(); err != broken || p != (Puzzle{}) {
				t.Errorf("Next() after %q = %+v, %v, want the error of the reader", begun, p, err)
			}
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

func TestNextGivesRowsAtTheirEnd(t *testing.T) {
	for _, test := range []struct{ name, text string }{
		{"an empty line", nineRows(puzzle) + "\n"},
		{"a rule", nineRows(puzzle) + "+---+---+---+\n"},
		{"text", nineRows(puzzle) + "Grid 02\n"},
		{"nine more", nineRows(puzzle) + nineRows(puzzle)},
		{"81 cells", nineRows(puzzle) + puzzle + "\n"},
		{"a bracket", `["` + strings.Join(strings.Fields(nineRows(puzzle)), `","`) + `"]` + "\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			in, out := io.Pipe()
			defer in.Close()
			go io.WriteString(out, test.text)
			p, err := NewReader(in, "", Auto).Next()
			if err != nil || p.Grid != grid(t, puzzle) {
				t.Errorf("Next() after %q = %+v, %v, want the puzzle", test.text, p, err)
			}
		})
	}
}

// nineRows lays a grid of 81 characters out in nine lines.
func nineRows(text string) string {
	var b strings.Builder
	for i := 0; i < 81; i += 9 {
		b.WriteString(text[i:i+9] + "\n")
	}
	return b.String()
}

func TestFormats(t *testing.T) {
	p := grid(t, puzzle).String()
	inputs := map[Format]string{
		Line:   p + "\n",
		Grid:   nineRows(p),
		Column: strings.Join(strings.Split(p, ""), "\n") + "\n",
		CSV:    "id,puzzle\n1," + p + "\n",
		JSON:   `{"puzzle":"` + p + `"}` + "\n",
		HoDoKu: ":0000:x:" + p + ":::\n",
		XML:    `<game data="` + p + `" />` + "\n",
		Link:   "https://example.invalid/" + p + "\n",
	}
	for as, input := range inputs {
		for _, f := range Formats {
			got := puzzles(t, strings.NewReader(input), f)
			read := len(got) == 1 && got[0].Err == nil && got[0].Grid == grid(t, puzzle)
			if want := f == Auto || f == as; read != want {
				t.Errorf("NewReader(a puzzle in the format %s, %s) reads %q; that it is the puzzle is %v, want %v", as, f, summary(got), read, want)
			}
			for _, p := range got {
				if f != Auto && f != as && p.Err == nil {
					t.Errorf("NewReader(a puzzle in the format %s, %s) reads %v, want nothing good", as, f, p.Grid)
				}
			}
		}
	}
}

func TestParseFormat(t *testing.T) {
	for _, f := range Formats {
		if got, err := ParseFormat(f.String()); got != f || err != nil || f.About() == "" {
			t.Errorf("ParseFormat(%q) = %v, %v, want %v", f, got, err, f)
		}
	}
	if got, err := ParseFormat("sdkk"); got != Auto || err == nil || !strings.Contains(err.Error(), "hodoku") {
		t.Errorf("ParseFormat(sdkk) = %v, %v, want an error that lists the names", got, err)
	}
}

// endless repeats a text.
type endless struct {
	text string
	at   int
}

func (e *endless) Read(p []byte) (n int, err error) {
	for n < len(p) {
		k := copy(p[n:], e.text[e.at:])
		n, e.at = n+k, (e.at+k)%len(e.text)
	}
	return n, nil
}

func TestNextAllocates(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       float64
	}{
		{"lines", puzzle + "\n", 0},
		{"lines with another blank", strings.ReplaceAll(puzzle, ".", "*") + "\n", 0},
		{"lines with a tail", puzzle + "," + solution + "\r\n", 0},
		{"rows", nineRows(puzzle) + "\n", 1},
		{"objects", `{"puzzle":"` + puzzle + `"}` + "\n", 0},
		{"one endless list", `["` + puzzle + `"],`, 0},
		{"bad lines", puzzle[1:] + "\n", 6},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := NewReader(&endless{text: test.text}, "", Auto)
			r.Next()
			got := testing.AllocsPerRun(20_000, func() {
				if p, err := r.Next(); err != nil || p.Grid != grid(t, puzzle) && p.Err == nil {
					t.Fatalf("Next() = %+v, %v", p, err)
				}
			})
			if got > test.want {
				t.Errorf("Next() allocates %v times for each of endless %s, want at most %v", got, test.name, test.want)
			}
		})
	}
}

func TestNextBoundsLines(t *testing.T) {
	long := io.LimitReader(&endless{text: "words "}, 5*maxLine)
	r := NewReader(io.MultiReader(long, strings.NewReader("\n"+puzzle+"\n")), "", Auto)
	got := summary(collect(t, r))
	if want := "1:1: line longer than 1 MiB\n" + puzzle + "\n"; got != want {
		t.Errorf("after a long line, got\n%swant\n%s", got, want)
	}
	if n := len(r.source.buf); n > 4*maxLine {
		t.Errorf("the buffer has grown to %d bytes", n)
	}
}

// TestReadsWhatIsWritten prints random grids in every form and reads them back.
func TestReadsWhatIsWritten(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, form := range Forms {
		var want []solver.Grid
		var out strings.Builder
		w := NewWriter(&out, form, true)
		for range 100 {
			g, a := randomGrid(random), Answer{}
			want = append(want, g)
			if a.Puzzle = g; form == AsJSON || form == AsCSV { // the others print either
				a.Status, a.Solution = "unique", randomGrid(random)
			}
			w.Write(&a)
		}
		w.Flush()
		var got []solver.Grid
		for _, p := range puzzles(t, strings.NewReader(out.String()), Auto) {
			if p.Err != nil {
				t.Errorf("reading what is written in the form %s: %v", form, p.Err)
			}
			got = append(got, p.Grid)
		}
		if !slices.Equal(got, want) {
			t.Errorf("reading what is written in the form %s gives other grids:\n%v\nwant\n%v", form, got, want)
		}
	}
}

// randomGrid returns a grid with few or many digits, which may break the rules.
func randomGrid(random *rand.Rand) (g solver.Grid) {
	clues := random.IntN(82)
	for i := range g {
		if random.IntN(81) < clues {
			g[i] = uint8(random.IntN(10))
		}
	}
	return g
}
