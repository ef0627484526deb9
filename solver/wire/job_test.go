package wire_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"sudoku/solver"
	"sudoku/solver/wire"
)

func TestParseSubject(t *testing.T) {
	chunk := wire.Chunk{Numbered: true, Number: 17}
	for _, tt := range []struct {
		subject string
		job     string
		kind    wire.Kind
	}{
		{wire.JobSubject("j-1"), "j-1", wire.Answers},
		{wire.ManifestSubject("j-1"), "j-1", wire.Manifest},
		{wire.ResultSubject("j_1"), "j_1", wire.Answers},
		{wire.ResultManifestSubject("j"), "j", wire.Manifest},
		{wire.CancelledSubject("j"), "j", wire.Cancelled},
		{wire.FailedSubject("j", chunk), "j", wire.Failed},
		{wire.DeadSubject("j"), "j", wire.Answers},
		{"sudoku.v1.jobs.j.other", "j", wire.Unknown},
		{"sudoku.v1.jobs.j.manifest.x", "j", wire.Unknown},
		{"sudoku.v1.jobs.ä", "ä", wire.Unknown},
		{wire.JobSubject(strings.Repeat("j", 65)), strings.Repeat("j", 64), wire.Unknown},
	} {
		if job, kind := wire.ParseSubject(tt.subject); job != tt.job || kind != tt.kind {
			t.Errorf("ParseSubject(%q) = %q, %v, want %q, %v", tt.subject, job, kind, tt.job, tt.kind)
		}
	}
}

func TestChunk(t *testing.T) {
	for _, c := range []wire.Chunk{
		{Numbered: true},
		{Numbered: true, Number: 17, First: 4352},
		{Numbered: true, Number: 1<<27 - 1, First: 1<<52 - 1},
		{Numbered: true, Number: 17, First: 4352, Packed: true},
		{Sequence: 99},
	} {
		got, err := wire.ParseChunk(c.Header(), 5)
		if err != nil || got != c {
			t.Errorf("ParseChunk(%v) = %v, %v, want %v", c.Header(), got, err, c)
		}
	}
	if got, err := wire.ParseChunk(nil, 5); err != nil || got != (wire.Chunk{Sequence: 5}) {
		t.Errorf("ParseChunk without headers = %v, %v, want the sequence of the message", got, err)
	}
	for _, value := range []string{"", "17", "-1 0", "a b", "1 2 3", "1 2 ", "1 2 packed ", "1 2 packed 3", "1 packed", "134217728 0", "1 4503599627370496", "99999999999999999999 0"} {
		if got, err := wire.ParseChunk(map[string][]string{wire.HeaderChunk: {value}}, 5); !errors.Is(err, wire.ErrBadRequest) || got != (wire.Chunk{}) {
			t.Errorf("ParseChunk(%q) = %v, %v, want %v", value, got, err, wire.ErrBadRequest)
		}
	}
}

func TestManifest(t *testing.T) {
	m := wire.JobManifest{Chunks: 3907, Puzzles: 1_000_000}
	if got, err := wire.ParseManifest(m.Encode()); err != nil || got != m {
		t.Errorf("ParseManifest(Encode()) = %v, %v, want %v", got, err, m)
	}
	for _, body := range []string{"", "3", `{"chunks":-1}`, `{"chunks":"x"}`} {
		if got, err := wire.ParseManifest([]byte(body)); !errors.Is(err, wire.ErrBadRequest) || got != (wire.JobManifest{}) {
			t.Errorf("ParseManifest(%q) = %v, %v, want %v", body, got, err, wire.ErrBadRequest)
		}
	}
}

const (
	puzzle   = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
	solution = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
)

func grid(t testing.TB, text string) solver.Grid {
	t.Helper()
	g, err := solver.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// jobResults returns copies of the lines of a result.
func jobResults(t *testing.T, body []byte) (all []wire.JobResult) {
	t.Helper()
	for r, err := range wire.ParseJobResults(body) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, *r)
	}
	return all
}

func TestJobResult(t *testing.T) {
	body := []byte(puzzle + "\t{\"line\":3}\nx\n")
	lines, grids, err := wire.ParseJob(nil, nil, body)
	if err != nil || len(lines) != 2 || len(grids) != 1 || grids[0].String() != puzzle || lines[0].Err != nil || lines[1].Err == nil {
		t.Fatalf("ParseJob(%q) = %v, %v, %v", body, lines, grids, err)
	}
	var out []byte
	out = wire.AppendJobResult(out, lines[0], &grids[0], &solver.Result{Status: solver.Unique, Solution: grid(t, solution)}, nil)
	out = wire.AppendJobResult(out, lines[1], nil, &solver.Result{Status: solver.Invalid}, lines[1].Err)
	want := solution + " unique\t" + puzzle + "\t{\"line\":3}\ninvalid 1 characters, want 81\tx\n"
	if string(out) != want {
		t.Errorf("AppendJobResult = %q, want %q", out, want)
	}
	got := jobResults(t, out)
	if len(got) != 2 || got[0].Solution != grid(t, solution) || got[0].Puzzle.Grid != grid(t, puzzle) || string(got[0].Note) != `{"line":3}` ||
		got[1].Status != solver.Invalid || got[1].Reason != "1 characters, want 81" || string(got[1].Text) != "x" || len(got[1].Note) > 0 {
		t.Errorf("ParseJobResults(%q) = %v", out, got)
	}
}

// The examples of packed lines were made by another program, from the specification.
func TestPackedVectors(t *testing.T) {
	data, err := os.ReadFile("testdata/packed.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var v struct{ Name, Chunk, Result string }
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		body, err := hex.DecodeString(v.Chunk)
		if err != nil {
			t.Fatal(err)
		}
		lines, grids, err := wire.ParseJob(nil, nil, body)
		if err != nil {
			t.Errorf("%s: ParseJob(%x) = %v", v.Name, body, err)
			continue
		}
		results := make([]solver.Result, len(grids))
		solver.SolveBatch(t.Context(), results, grids)
		var got []byte
		for _, line := range lines {
			if line.Err != nil {
				got = wire.AppendJobResult(got, line, nil, &solver.Result{Status: solver.Invalid}, line.Err)
				continue
			}
			got = wire.AppendJobResult(got, line, &grids[0], &results[0], grids[0].Check())
			grids, results = grids[1:], results[1:]
		}
		if hex.EncodeToString(got) != v.Result {
			t.Errorf("%s: the result is %x, want %s", v.Name, got, v.Result)
		}
	}
}

// What the specification says of packed lines, for each kind of answer.
func TestPackedLines(t *testing.T) {
	g, s := grid(t, puzzle), grid(t, solution)
	digits := strings.ReplaceAll(puzzle, ".", "0")
	for _, tt := range []struct {
		result solver.Result
		want   string // in hexadecimal, before the clues
	}{
		{solver.Result{Status: solver.Unique, Solution: s}, "8" + solution},
		{solver.Result{Status: solver.Multiple, Solution: s}, "9" + solution},
		{solver.Result{Status: solver.None}, hex.EncodeToString([]byte("none\t")) + "8" + digits},
		{solver.Result{Status: solver.Timeout}, hex.EncodeToString([]byte("timeout\t")) + "8" + digits},
	} {
		for _, note := range []string{"", "a\tnote"} {
			body := wire.AppendJobLine(nil, &g, []byte(note))
			if got := hex.EncodeToString(body); !strings.HasPrefix(got, "8"+digits) {
				t.Fatalf("AppendJobLine(%s) = %s, want 8%s", puzzle, got, digits)
			}
			lines, grids, err := wire.ParseJob(nil, nil, body)
			if err != nil || len(lines) != 1 || lines[0].Err != nil || grids[0] != g {
				t.Fatalf("ParseJob(%x) = %v, %v, %v, want %v", body, lines, grids, err, g)
			}
			out := wire.AppendJobResult(nil, lines[0], &g, &tt.result, nil)
			if got := hex.EncodeToString(out); !strings.HasPrefix(got, tt.want) || bytes.Count(out, []byte("\n")) != 1 {
				t.Errorf("AppendJobResult(%v) = %s, want %s", tt.result, got, tt.want)
			}
			got := jobResults(t, out)
			if len(got) != 1 || got[0].Result != tt.result || got[0].Puzzle.Grid != g || got[0].Puzzle.Err != nil || string(got[0].Note) != note {
				t.Errorf("ParseJobResults(%x) = %v, want %v and the puzzle", out, got, tt.result)
			}
		}
	}
}

// packedAnswer returns the line of a result that says that s is the only solution
// of g.
func packedAnswer(t *testing.T, g, s solver.Grid) []byte {
	t.Helper()
	lines, _, err := wire.ParseJob(nil, nil, wire.AppendJobLine(nil, &g, nil))
	if err != nil {
		t.Fatal(err)
	}
	return wire.AppendJobResult(nil, lines[0], &g, &solver.Result{Status: solver.Unique, Solution: s}, nil)
}

// The clues of a packed answer are where the puzzle has them.
func TestPackedClues(t *testing.T) {
	s := grid(t, solution)
	for i := range 81 {
		g := s
		g[i] = 0
		out := packedAnswer(t, g, s)
		clues := out[41:53]
		for c := range 81 {
			if got := clues[c/7]>>(c%7)&1 == 1; got != (c != i) {
				t.Errorf("clues %x, which is wrong for cell %d of %s", clues, c, g)
			}
		}
		if got := jobResults(t, out); len(got) != 1 || got[0].Puzzle.Grid != g {
			t.Errorf("ParseJobResults(%x) = %v, want puzzle %s", out, got, g)
		}
	}
}

// A line that only looks packed is no grid, and no answer.
func TestNotPacked(t *testing.T) {
	g, s := grid(t, puzzle), grid(t, solution)
	line, answer := wire.AppendJobLine(nil, &g, nil), packedAnswer(t, g, s)
	change := func(line []byte, at int, b byte) []byte {
		line = bytes.Clone(line)
		line[at] = b
		return line
	}
	for name, body := range map[string][]byte{
		"short":         line[1:],
		"cut":           append(bytes.Clone(line[:40]), '\n'),
		"long":          append(bytes.Clone(line[:41]), "x\n"...),
		"other tag":     change(line, 0, 0x95),
		"no tag":        change(line, 0, 0x05),
		"above 9":       change(line, 7, 0x0c),
		"above 9 first": change(line, 0, 0x8b),
	} {
		lines, grids, err := wire.ParseJob(nil, nil, body)
		if err != nil || len(lines) != 1 || lines[0].Err == nil || len(grids) > 0 {
			t.Errorf("%s: ParseJob(%x) = %v, %v, %v, want a line that is not a grid", name, body, lines, grids, err)
			continue
		}
		out := wire.AppendJobResult(nil, lines[0], nil, &solver.Result{Status: solver.Invalid}, lines[0].Err)
		if got := jobResults(t, out); len(got) != 1 || got[0].Status != solver.Invalid || got[0].Puzzle.Err == nil || !bytes.Equal(got[0].Text, body[:len(body)-1]) {
			t.Errorf("%s: ParseJobResults(%x) = %v, want the line as it was sent", name, out, got)
		}
	}
	for name, body := range map[string][]byte{
		"a puzzle":       line,
		"cut":            append(bytes.Clone(answer[:52]), '\n'),
		"long":           append(bytes.Clone(answer[:53]), "x\n"...),
		"other tag":      change(answer, 0, 0xa5),
		"empty cell":     change(answer, 7, 0x01),
		"breaks a rule":  change(answer, 7, 0x99),
		"text, the same": []byte(strings.Replace(solution, "1", "2", 1) + " unique\t" + puzzle + "\n"),
	} {
		for r, err := range wire.ParseJobResults(body) {
			if err == nil {
				t.Errorf("%s: ParseJobResults(%x) = %v, want an error", name, body, r)
			}
		}
	}
}

func TestJobText(t *testing.T) {
	g := grid(t, puzzle)
	packed := string(wire.AppendJobLine(nil, &g, nil))
	noted := string(wire.AppendJobLine(nil, &g, []byte("a note")))
	for body, want := range map[string]string{
		"":                           "",
		packed:                       puzzle + "\n",
		packed[:41]:                  puzzle,
		packed[:41] + "\r\n" + noted: puzzle + "\r\n" + puzzle + "\ta note\n",
		"x\n" + noted + packed[:40]:  "x\n" + puzzle + "\ta note\n" + packed[:40],
	} {
		if got := string(wire.JobText([]byte(body))); got != want {
			t.Errorf("JobText(%q) = %q, want %q", body, got, want)
		}
	}
}

// A cell above 9, which only a Go program can send, is not lost in packing.
func TestPackedCellAbove9(t *testing.T) {
	for _, d := range []uint8{10, 15, 16, 25, 255} {
		for i := range 81 {
			g := grid(t, puzzle)
			g[i] = d
			lines, _, err := wire.ParseJob(nil, nil, wire.AppendJobLine(nil, &g, nil))
			if err != nil || len(lines) != 1 || lines[0].Err == nil {
				t.Errorf("ParseJob = %v, %v with %d in cell %d, want a line that is not a grid", lines, err, d, i)
			}
		}
	}
}

// A solution without the clues of its puzzle is not packed, which would hide that.
func TestPackedKeepsClues(t *testing.T) {
	g, s := grid(t, puzzle), grid(t, solution)
	for i, d := range s {
		s[i] = d%9 + 1
	}
	got := jobResults(t, packedAnswer(t, g, s))
	if len(got) != 1 || got[0].Solution != s || got[0].Puzzle.Grid != g {
		t.Errorf("ParseJobResults = %v, want solution %s of puzzle %s", got, s, g)
	}
}

// FuzzJob checks that every body that is a chunk has a result that can be read,
// line by line, whatever its bytes are.
func FuzzJob(f *testing.F) {
	f.Add([]byte("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\tnote\r\n\n\t\x00\xff\n"))
	g, s := grid(f, puzzle), grid(f, solution)
	f.Add(wire.AppendJobLine(wire.AppendJobLine(nil, &g, nil), &s, []byte("note")))
	f.Fuzz(func(t *testing.T, body []byte) {
		lines, grids, err := wire.ParseJob(nil, nil, body)
		if err != nil {
			return
		}
		var out []byte
		puzzles := make([]solver.Grid, len(lines)) // those that are no grids are zero
		for i, line := range lines {
			r := solver.Result{Status: solver.None}
			if line.Err == nil {
				puzzles[i], grids = grids[0], grids[1:]
			} else {
				r.Status = solver.Invalid
			}
			if puzzles[i].Complete() {
				r = solver.Result{Status: solver.Multiple, Solution: puzzles[i]}
			}
			out = wire.AppendJobResult(out, line, &puzzles[i], &r, line.Err)
		}
		n := 0
		for r, err := range wire.ParseJobResults(out) {
			if err != nil || (r.Status == solver.Invalid) != (lines[n].Err != nil) || r.Puzzle.Grid != puzzles[n] || !bytes.HasSuffix(lines[n].Text, r.Note) {
				t.Fatalf("line %d of %q = %v, %v, want %v", n, out, r, err, lines[n])
			}
			n++
		}
		if n != len(lines) {
			t.Errorf("%d results to %d lines", n, len(lines))
		}
	})
}
