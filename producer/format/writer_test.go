package format

import (
	"strings"
	"testing"

	"sudoku/solver"
)

// An example puzzle and its solution, and a puzzle without one.
const (
	puzzle   = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9" // wikipedia.org/wiki/Sudoku_solving_algorithms
	solution = "987654321246173985351928746128537694634892157795461832519286473472319568863745219"
)

func grid(t testing.TB, text string) solver.Grid {
	t.Helper()
	g, err := solver.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestWrite(t *testing.T) {
	p, s := grid(t, puzzle), grid(t, solution)
	solved := Answer{File: "a.txt", Line: 3, Puzzle: p, Status: "unique", Solution: s}
	none := Answer{File: "a.txt", Line: 4, Puzzle: p, Status: "none", Error: "no solution"}
	unread := Answer{File: `b"`, Line: 5, Text: `x,"y`, Status: "invalid", Error: "not a puzzle"}
	late := Answer{Line: 6, Puzzle: p, Status: "timeout"}
	checked := Answer{Line: 7, Puzzle: p, Status: "unique"}
	counted := Answer{Line: 8, Puzzle: p, Status: "unique", Count: 1, Exact: true}
	many := Answer{Line: 8, Puzzle: p, Status: "multiple", Count: 1000}
	read := Answer{Line: 9, Puzzle: p}
	for _, test := range []struct {
		name    string
		form    Form
		verdict bool
		answers []Answer
		want    string
	}{
		{"line", AsLine, false, []Answer{solved, none, unread, late, checked, counted, many, read}, solution + "\nnone\ninvalid\ntimeout\nunique\n1\n>=1000\n" + puzzle + "\n"},
		{"line with the verdict", AsLine, true, []Answer{solved, none, read}, solution + " unique\nnone\n" + puzzle + "\n"},
		{"grid", AsGrid, false, []Answer{solved}, "987654321\n246173985\n351928746\n128537694\n634892157\n795461832\n519286473\n472319568\n863745219\n"},
		{"grid of a puzzle", AsGrid, false, []Answer{read}, "000000000\n000003085\n001020000\n000507000\n004000100\n090000000\n500000073\n002010000\n000040009\n"},
		{"grids are parted", AsGrid, false, []Answer{none, unread, late}, "Not Possible\n\nNot Possible\n\ntimeout\n"},
		{"counts are not", AsGrid, false, []Answer{counted, many}, "1\n>=1000\n"},
		{"spaced", AsSpaced, false, []Answer{read}, "0 0 0 0 0 0 0 0 0\n0 0 0 0 0 3 0 8 5\n0 0 1 0 2 0 0 0 0\n0 0 0 5 0 7 0 0 0\n0 0 4 0 0 0 1 0 0\n0 9 0 0 0 0 0 0 0\n5 0 0 0 0 0 0 7 3\n0 0 2 0 1 0 0 0 0\n0 0 0 0 4 0 0 0 9\n"},
		{"pretty", AsPretty, false, []Answer{read}, `. . . | . . . | . . .
. . . | . . 3 | . 8 5
. . 1 | . 2 . | . . .
------+-------+------
. . . | 5 . 7 | . . .
. . 4 | . . . | 1 . .
. 9 . | . . . | . . .
------+-------+------
5 . . | . . . | . 7 3
. . 2 | . 1 . | . . .
. . . | . 4 . | . . 9
`},
		{"json", AsJSON, false, []Answer{solved, none, unread, many, read},
			`{"file":"a.txt","line":3,"puzzle":"` + puzzle + `","status":"unique","solution":"` + solution + `"}
{"file":"a.txt","line":4,"puzzle":"` + puzzle + `","status":"none","error":"no solution"}
{"file":"b\"","line":5,"puzzle":"x,\"y","status":"invalid","error":"not a puzzle"}
{"file":"","line":8,"puzzle":"` + puzzle + `","status":"multiple","count":1000,"exact":false}
{"file":"","line":9,"puzzle":"` + puzzle + `"}
`},
		{"csv", AsCSV, false, []Answer{solved, unread, counted},
			csvHeader + "a.txt,3," + puzzle + ",unique," + solution + ",,,\n" +
				`"b""",5,"x,""y",invalid,,,,not a puzzle` + "\n,8," + puzzle + ",unique,,1,true,\n"},
		{"csv of nothing", AsCSV, false, nil, csvHeader},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out strings.Builder
			w := NewWriter(&out, test.form, test.verdict)
			for _, a := range test.answers {
				if err := w.Write(&a); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			if got := out.String(); got != test.want {
				t.Errorf("Write in the form %s printed\n%s\nwant\n%s", test.form, got, test.want)
			}
		})
	}
}

func TestWriteAllocates(t *testing.T) {
	var out strings.Builder
	out.Grow(1 << 20)
	w := NewWriter(&out, AsLine, true)
	a := Answer{Puzzle: grid(t, puzzle), Status: "unique", Solution: grid(t, solution)}
	w.Write(&a)
	if got := testing.AllocsPerRun(1000, func() { w.Write(&a) }); got != 0 {
		t.Errorf("Write allocates %v times, want never", got)
	}
}
