package wire_test

import (
	"errors"
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
	for _, value := range []string{"", "17", "-1 0", "a b", "1 2 3", "134217728 0", "1 4503599627370496", "99999999999999999999 0"} {
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

func TestJobResult(t *testing.T) {
	const puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
	const solution = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
	var body []byte
	body = wire.AppendJobLine(body, []byte(puzzle), []byte(`{"line":3}`))
	body = wire.AppendJobLine(body, []byte("x"), nil)
	lines, err := wire.ParseJob(nil, body)
	if err != nil || len(lines) != 2 || lines[0].Grid.String() != puzzle || lines[1].Err == nil {
		t.Fatalf("ParseJob(%q) = %v, %v", body, lines, err)
	}
	g, err := solver.Parse(solution)
	if err != nil {
		t.Fatal(err)
	}
	var out []byte
	out = wire.AppendJobResult(out, lines[0], solver.Result{Status: solver.Unique, Solution: g}, nil)
	out = wire.AppendJobResult(out, lines[1], solver.Result{Status: solver.Invalid}, lines[1].Err)
	want := solution + " unique\t" + puzzle + "\t{\"line\":3}\ninvalid 1 characters, want 81\tx\n"
	if string(out) != want {
		t.Errorf("AppendJobResult = %q, want %q", out, want)
	}
	var got []wire.JobResult
	for r, err := range wire.ParseJobResults(out) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, r)
	}
	if len(got) != 2 || got[0].Solution != g || string(got[0].Puzzle) != puzzle || string(got[0].Note) != `{"line":3}` ||
		got[1].Status != solver.Invalid || got[1].Reason != "1 characters, want 81" || string(got[1].Puzzle) != "x" || len(got[1].Note) > 0 {
		t.Errorf("ParseJobResults(%q) = %v", out, got)
	}
}

// FuzzJob checks that every body that is a chunk has a result that can be read,
// line by line, whatever its bytes are.
func FuzzJob(f *testing.F) {
	f.Add([]byte("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\tnote\r\n\n\t\x00\xff\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		lines, err := wire.ParseJob(nil, body)
		if err != nil {
			return
		}
		var out []byte
		for _, line := range lines {
			r := solver.Result{Status: solver.None}
			if line.Err != nil {
				r.Status = solver.Invalid
			}
			out = wire.AppendJobResult(out, line, r, line.Err)
		}
		n := 0
		for r, err := range wire.ParseJobResults(out) {
			if err != nil || (r.Status == solver.Invalid) != (lines[n].Err != nil) {
				t.Fatalf("line %d of %q = %v, %v", n, out, r, err)
			}
			n++
		}
		if n != len(lines) {
			t.Errorf("%d results to %d lines", n, len(lines))
		}
	})
}
