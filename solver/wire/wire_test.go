package wire_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"sudoku/solver"
	"sudoku/solver/wire"
)

type vector struct {
	Name        string            `json:"name"`
	Subject     string            `json:"subject"`
	Header      map[string]string `json:"header"`
	Request     string            `json:"request"`
	Reply       []string          `json:"reply"`
	ReplyHeader map[string]string `json:"reply_header"`
}

func readVectors(t *testing.T) []vector {
	t.Helper()
	f, err := os.Open("testdata/vectors.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var vs []vector
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		vs = append(vs, v)
	}
	if err := lines.Err(); err != nil || len(vs) == 0 {
		t.Fatalf("vectors.jsonl has %d vectors, error %v", len(vs), err)
	}
	return vs
}

func header(h map[string]string) map[string][]string {
	multi := map[string][]string{}
	for k, v := range h {
		multi[k] = []string{v}
	}
	return multi
}

// TestVectorsDecode shows that the codec reads each request and reply of the
// vectors. That a worker answers so is tested in worker/service.
func TestVectorsDecode(t *testing.T) {
	for _, v := range readVectors(t) {
		t.Run(v.Name, func(t *testing.T) {
			failure := wire.ParseError(header(v.ReplyHeader))
			_, termsErr := wire.ParseTerms(v.Subject, header(v.Header))
			puzzles, requestErr := wire.ParseRequest(nil, []byte(v.Request))
			last := v.Reply[len(v.Reply)-1]
			if err := errors.Join(termsErr, requestErr); err != nil {
				if failure == nil || !errors.Is(err, failure) && !errors.Is(err, wire.ErrBadRequest) || last != "" {
					t.Fatalf("request refused with %v, want failure %v and no lines", err, failure)
				}
				return
			}
			switch v.Subject {
			case wire.SubjectSolve:
				answers, err := wire.ParseResults(nil, []byte(last))
				checkLines(t, last, len(puzzles), answers, err)
			case wire.SubjectCount:
				answers, err := wire.ParseCounts(nil, []byte(last))
				checkLines(t, last, len(puzzles), answers, err)
			case wire.SubjectAll:
				for _, page := range v.Reply[:len(v.Reply)-1] {
					answers, err := wire.ParseSolutions(nil, []byte(page), puzzles[0].Grid)
					checkLines(t, page, strings.Count(page, "\n"), answers, err)
				}
			default:
				t.Fatalf("unknown subject %q", v.Subject)
			}
		})
	}
}

// checkLines checks that body has one answer for each of want puzzles.
func checkLines[T any](t *testing.T, body string, want int, answers []T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if len(answers) != want && body != "" {
		t.Errorf("%d answers, want %d", len(answers), want)
	}
}

// TestVectorsEncode shows that the codec writes the request and the solve
// replies of the vectors as they stand.
func TestVectorsEncode(t *testing.T) {
	for _, v := range readVectors(t) {
		if v.Subject != wire.SubjectSolve || v.Reply[0] == "" {
			continue
		}
		t.Run(v.Name, func(t *testing.T) {
			answers, err := wire.ParseResults(nil, []byte(v.Reply[0]))
			if err != nil {
				t.Fatal(err)
			}
			var body []byte
			for _, r := range answers {
				body = wire.AppendResult(body, r, nil)
			}
			if string(body) != v.Reply[0] {
				t.Errorf("encoded %q, want %q", body, v.Reply[0])
			}
		})
	}
}

func TestParseRequest(t *testing.T) {
	const easy = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
	for _, test := range []struct {
		name, body string
		want       []string // "" where the line is not a grid
		wantErr    error
	}{
		{"empty", "", nil, wire.ErrBadRequest},
		{"too many lines", strings.Repeat("\n", wire.MaxPuzzles+1), nil, wire.ErrBadRequest},
		{"too many lines, the last without its end", strings.Repeat("\n", wire.MaxPuzzles) + "x", nil, wire.ErrBadRequest},
		{"too many bytes", strings.Repeat("1", wire.MaxBytes+1), nil, wire.ErrTooLarge},
		{"one", easy, []string{easy}, nil},
		{"LF", easy + "\n", []string{easy}, nil},
		{"CRLF", easy + "\r\n" + easy + "\r\n", []string{easy, easy}, nil},
		{"a bad line keeps its place", easy + "\nabc\n\n" + easy, []string{easy, "", "", easy}, nil},
		{"only an end of line", "\n", []string{""}, nil},
		{"garbage", "\x00\xff\xfe", []string{""}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			lines, err := wire.ParseRequest(nil, []byte(test.body))
			if !errors.Is(err, test.wantErr) {
				t.Fatalf("ParseRequest = error %v, want %v", err, test.wantErr)
			}
			var got []string
			for _, line := range lines {
				text := line.Grid.String()
				if line.Err != nil {
					text = ""
				}
				got = append(got, text)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("ParseRequest = %q, want %q", got, test.want)
			}
		})
	}
}

// TestRepliesRefused shows that no damaged line is taken for an answer.
func TestRepliesRefused(t *testing.T) {
	solution := "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
	for _, line := range []string{
		"", "non", "none ", "nones", "NONE", "timeout ", "invalidity", solution, solution + " ", solution + " uniq",
		solution[:80] + " unique", "." + solution[1:] + " unique", "4" + solution[1:] + " unique", solution + "  unique",
	} {
		for _, before := range []string{"", "none\n"} {
			kept := []solver.Result{{Status: solver.None}}
			if got, err := wire.ParseResults(kept, []byte(before+line+"\n")); err == nil || len(got) != 1 || got[0] != kept[0] {
				t.Errorf("ParseResults(%q) = %v, %v, want what was there and an error", before+line, got, err)
			}
		}
	}
	for _, line := range []string{"", "x", "-1", ">=0", ">=", "> 1", "1.5", "+1", "1 ", "99999999999999999999"} {
		if got, err := wire.ParseCounts(nil, []byte(line+"\n")); err == nil || len(got) > 0 {
			t.Errorf("ParseCounts(%q) = %v, %v, want an error", line, got, err)
		}
	}
	if got, err := wire.ParseSolutions(nil, []byte(solution+"\n"), solver.Grid{1}); err == nil || len(got) > 0 {
		t.Errorf("ParseSolutions of another puzzle = %v, %v, want an error", got, err)
	}
}

func TestTerms(t *testing.T) {
	for _, test := range []struct {
		name    string
		subject string
		header  map[string][]string
		want    wire.Terms
		wantErr bool
	}{
		{"none on count", wire.SubjectCount, nil, wire.Terms{Limit: wire.DefaultCountLimit}, false},
		{"none on all", wire.SubjectAll, nil, wire.Terms{Limit: wire.DefaultAllLimit}, false},
		{"both", wire.SubjectAll, wire.Terms{Limit: 7, Timeout: 1500 * 1000}.Header(), wire.Terms{Limit: 7, Timeout: 2000 * 1000}, false},
		{"limit 0", wire.SubjectAll, map[string][]string{wire.HeaderLimit: {"0"}}, wire.Terms{}, true},
		{"limit too high for all", wire.SubjectAll, map[string][]string{wire.HeaderLimit: {"1000001"}}, wire.Terms{}, true},
		{"limit too high", wire.SubjectCount, map[string][]string{wire.HeaderLimit: {"1000000001"}}, wire.Terms{}, true},
		{"limit not a number", wire.SubjectCount, map[string][]string{wire.HeaderLimit: {"many"}}, wire.Terms{}, true},
		{"negative time", wire.SubjectSolve, map[string][]string{wire.HeaderTimeout: {"-1"}}, wire.Terms{}, true},
		{"a time beyond a day", wire.SubjectSolve, map[string][]string{wire.HeaderTimeout: {"86400001"}}, wire.Terms{}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := wire.ParseTerms(test.subject, test.header)
			if got != test.want || errors.Is(err, wire.ErrBadRequest) != test.wantErr {
				t.Errorf("ParseTerms = %v, %v, want %v, error %v", got, err, test.want, test.wantErr)
			}
		})
	}
}

func TestErrorHeader(t *testing.T) {
	for code, target := range map[int]error{
		wire.CodeBadRequest: wire.ErrBadRequest,
		wire.CodeTooLarge:   wire.ErrTooLarge,
		wire.CodeInternal:   wire.ErrInternal,
		wire.CodeBusy:       wire.ErrBusy,
		wire.CodeTimeout:    solver.ErrTimeout,
	} {
		e := &wire.Error{Code: code, Text: "why", RetryAfter: 5_000_000}
		got := wire.ParseError(e.Header())
		if got == nil || *got != *e || !errors.Is(got, target) {
			t.Errorf("ParseError(Header(%v)) = %v, want the same and %v", e, got, target)
		}
	}
	if got := wire.ParseError(map[string][]string{"Other": {"x"}}); got != nil {
		t.Errorf("ParseError of other headers = %v, want nil", got)
	}
	if got := wire.ParseError(map[string][]string{wire.HeaderErrorCode: {"x"}}); got == nil || got.Code != wire.CodeInternal {
		t.Errorf("ParseError of a bad code = %v, want 500", got)
	}
	if errors.Is(&wire.Error{Code: 999}, nil) {
		t.Error("an unknown code matches nil")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\r\nx\n\n"))
	f.Add([]byte("none\ntimeout\ninvalid why\n>=2\n17\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		lines, err := wire.ParseRequest(nil, body)
		if err == nil && (len(lines) == 0 || len(lines) > wire.MaxPuzzles) {
			t.Errorf("ParseRequest(%q) = %d lines", body, len(lines))
		}
		for _, line := range lines {
			if line.Err != nil && (line.Grid != solver.Grid{} || !errors.Is(line.Err, solver.ErrInvalid)) {
				t.Errorf("ParseRequest(%q) = %v with error %v", body, line.Grid, line.Err)
			}
			again, err := wire.ParseRequest(nil, wire.AppendPuzzle(nil, line.Grid))
			if err != nil || len(again) != 1 || again[0].Grid != line.Grid {
				t.Errorf("ParseRequest(AppendPuzzle(%v)) = %v, %v", line.Grid, again, err)
			}
		}
		checkRoundTrip(t, body, func(r solver.Result) []byte { return wire.AppendResult(nil, r, nil) }, wire.ParseResults)
		checkRoundTrip(t, body, func(c wire.Count) []byte { return wire.AppendCount(nil, c, nil) }, wire.ParseCounts)
	})
}

// checkRoundTrip checks that what was decoded is the same once encoded and
// decoded again, and that an error comes with nothing.
func checkRoundTrip[T comparable](t *testing.T, body []byte, encode func(T) []byte, decode func([]T, []byte) ([]T, error)) {
	decoded, err := decode(nil, body)
	if err != nil && len(decoded) > 0 {
		t.Errorf("error %v comes with %v", err, decoded)
	}
	for _, v := range decoded {
		if again, err := decode(nil, encode(v)); err != nil || len(again) != 1 || again[0] != v {
			t.Errorf("decode(encode(%v)) = %v, %v", v, again, err)
		}
	}
}
