package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"sudoku/solver"
)

// Streams of durable jobs, and the consumer that the workers share.
const (
	StreamJobs    = "SUDOKU_JOBS"
	StreamResults = "SUDOKU_RESULTS"
	StreamDead    = "SUDOKU_DEAD"
	ConsumerJobs  = "workers"
)

// Subjects of the streams.
const (
	SubjectJobs    = "sudoku.v1.jobs.>"
	SubjectResults = "sudoku.v1.results.>"
	SubjectDead    = "sudoku.v1.dead.>"
)

// Names of the headers of durable jobs.
const (
	HeaderChunk      = "Sudoku-Chunk"
	HeaderSequence   = "Sudoku-Sequence"
	HeaderPuzzles    = "Sudoku-Puzzles"
	HeaderDeliveries = "Sudoku-Deliveries"
	HeaderSubject    = "Sudoku-Subject"
	HeaderMsgID      = "Nats-Msg-Id" // of JetStream
)

// MaxJob is how many characters the id of a job has at most.
const MaxJob = 64

// CheckJob returns an error where job cannot be the id of a job.
func CheckJob(job string) error {
	const rule = "want 1 to 64 letters, digits, - and _"
	if job == "" || len(job) > MaxJob {
		return fmt.Errorf("job id of %d characters, %s", len(job), rule)
	}
	for _, c := range []byte(job) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_':
		default:
			return fmt.Errorf("job id %q, %s", clip(job), rule)
		}
	}
	return nil
}

// JobSubject is where the chunks of a job are published.
func JobSubject(job string) string { return family(SubjectJobs) + job }

// ManifestSubject is where the manifest of a job is published.
func ManifestSubject(job string) string { return JobSubject(job) + manifestSuffix }

// ResultSubject is where the answers of a job are published.
func ResultSubject(job string) string { return family(SubjectResults) + job }

// ResultManifestSubject is where a worker publishes the manifest of a job.
func ResultManifestSubject(job string) string { return ResultSubject(job) + manifestSuffix }

// CancelledSubject is where it is said that a job was given up.
func CancelledSubject(job string) string { return ResultSubject(job) + cancelledSuffix }

// FailedSubject is where a chunk without answers is published.
func FailedSubject(job string, c Chunk) string { return ResultSubject(job) + failedSuffix + c.Key() }

// DeadSubject is where a chunk that was given up is published.
func DeadSubject(job string) string { return family(SubjectDead) + job }

const (
	manifestSuffix  = ".manifest"
	cancelledSuffix = ".cancelled"
	failedSuffix    = ".failed."
)

func family(subjects string) string { return strings.TrimSuffix(subjects, ">") }

// A Kind is what a message of the streams is.
type Kind int

// The kinds.
const (
	Unknown   Kind = iota // none of this protocol
	Answers               // a chunk, or the answers to it
	Failed                // a chunk without answers
	Manifest              // the end of a job
	Cancelled             // the job was given up
)

// ParseSubject returns what a message of one of the streams is, and of which
// job. The job is not empty and has MaxJob characters at most, even where the kind
// is Unknown.
func ParseSubject(subject string) (job string, kind Kind) {
	rest := subject
	for _, s := range []string{SubjectJobs, SubjectResults, SubjectDead} {
		rest = strings.TrimPrefix(rest, family(s))
	}
	job, suffix := rest, ""
	if i := strings.IndexByte(rest, '.'); i > 0 {
		job, suffix = rest[:i], rest[i:]
	}
	switch {
	case CheckJob(job) != nil:
		return job[:min(len(job), MaxJob)], Unknown
	case suffix == "":
		return job, Answers
	case suffix == manifestSuffix:
		return job, Manifest
	case suffix == cancelledSuffix:
		return job, Cancelled
	case strings.HasPrefix(suffix, failedSuffix):
		return job, Failed
	}
	return job, Unknown
}

// A Chunk is the place of a message in its job.
type Chunk struct {
	Numbered bool
	Number   int    // from 0, where Numbered
	First    int    // number of its first puzzle, from 0, where Numbered
	Packed   bool   // lines may be packed; only where Numbered
	Sequence uint64 // in SUDOKU_JOBS, where not Numbered
}

// Key names the chunk in subjects and message ids: its number, or s and its
// sequence.
func (c Chunk) Key() string {
	if c.Numbered {
		return strconv.Itoa(c.Number)
	}
	return "s" + strconv.FormatUint(c.Sequence, 10)
}

// Header returns the header that says c, in the form of nats.Header.
func (c Chunk) Header() map[string][]string {
	if c.Numbered {
		v := strconv.Itoa(c.Number) + " " + strconv.Itoa(c.First)
		if c.Packed {
			v += " " + packedChunk
		}
		return map[string][]string{HeaderChunk: {v}}
	}
	return map[string][]string{HeaderSequence: {strconv.FormatUint(c.Sequence, 10)}}
}

// MsgID returns the Nats-Msg-Id of chunk c of a job.
func (c Chunk) MsgID(job string) string { return job + "/" + c.Key() }

// ManifestMsgID returns the Nats-Msg-Id of the manifest of a job.
func ManifestMsgID(job string) string { return job + "/manifest" }

// packedChunk is the word of HeaderChunk that says Packed.
const packedChunk = "packed"

// bitsOfChunk bounds the numbers of chunks, and with them the memory of those who
// remember which ones they have seen: a bit each, 16 MB.
const bitsOfChunk = 27

// ParseChunk reads the place of a chunk, a result or a dead letter from its
// headers. Where they do not say it, it is sequence: that of the message itself.
// The error is an [*Error] with code 400: a header that is not as it should be.
func ParseChunk(h map[string][]string, sequence uint64) (Chunk, error) {
	if v := h[HeaderChunk]; len(v) > 0 {
		number, rest, _ := strings.Cut(v[0], " ")
		first, form, more := strings.Cut(rest, " ")
		n, err1 := strconv.ParseUint(number, 10, bitsOfChunk)
		f, err2 := strconv.ParseUint(first, 10, 52)
		if err1 != nil || err2 != nil || more && form != packedChunk {
			return Chunk{}, badHeader(HeaderChunk, v[0], "the numbers of a chunk and of its first puzzle, and perhaps "+packedChunk)
		}
		return Chunk{Numbered: true, Number: int(n), First: int(f), Packed: more}, nil
	}
	if v := h[HeaderSequence]; len(v) > 0 {
		n, err := strconv.ParseUint(v[0], 10, 64)
		if err != nil {
			return Chunk{}, badHeader(HeaderSequence, v[0], "a sequence")
		}
		sequence = n
	}
	return Chunk{Sequence: sequence}, nil
}

func badHeader(name, value, want string) error {
	return &Error{Code: CodeBadRequest, Text: fmt.Sprintf("header %s: %q is not %s", name, clip(value), want)}
}

// JobManifest says that a job is complete.
type JobManifest struct {
	Chunks  int `json:"chunks"`
	Puzzles int `json:"puzzles"`
}

// Encode returns the body that says m.
func (m JobManifest) Encode() []byte {
	b, err := json.Marshal(m)
	if err != nil {
		panic(err) // two numbers can be marshalled
	}
	return b
}

// ParseManifest reads the body of a manifest. The error is an [*Error] with code
// 400.
func ParseManifest(body []byte) (m JobManifest, err error) {
	if err := json.Unmarshal(body, &m); err != nil || m.Chunks < 0 || m.Puzzles < 0 {
		return JobManifest{}, &Error{Code: CodeBadRequest, Text: fmt.Sprintf("%q is not a manifest", clip(string(body)))}
	}
	return m, nil
}

// JobLine is a line of a chunk.
type JobLine struct {
	Text []byte // the line as it came, with its note
	Err  error  // why it is not a grid, a [*solver.ParseError]; nil otherwise
}

// AppendJobLine appends a line of a chunk: g, packed, and, unless it is empty, a
// note, which has no line feed in it. Where g is nil the line is answered as
// invalid.
func AppendJobLine(b []byte, g *solver.Grid, note []byte) []byte {
	if g != nil {
		b = appendPacked(b, g)
	}
	if len(note) > 0 {
		b = append(b, '\t')
		b = append(b, note...)
	}
	return append(b, '\n')
}

// ParseJob appends the lines of a chunk to dst, and the grids of those that are
// grids to grids, and returns the extended slices. The lines share the memory of
// body. The rules are not checked. The errors are those of [ParseRequest].
func ParseJob(dst []JobLine, grids []solver.Grid, body []byte) ([]JobLine, []solver.Grid, error) {
	if err := checkBody(body); err != nil {
		return dst, grids, err
	}
	n := CountLines(body)
	dst, grids = slices.Grow(dst, n), slices.Grow(grids, n)
	for text := range lines(body) {
		at := len(grids)
		grids = grids[:at+1]
		_, _, err := parseJobLine(&grids[at], text)
		if err != nil {
			grids = grids[:at]
		}
		dst = append(dst, JobLine{Text: text, Err: err})
	}
	return dst, grids, nil
}

// parseJobLine sets g to the grid of a line of a chunk, and returns the parts of the
// line. The error is why puzzle is not a grid.
func parseJobLine(g *solver.Grid, line []byte) (puzzle, note []byte, err error) {
	if parsePacked(g, line) {
		_, note = cutNote(line[packedBytes:])
		return line[:packedBytes], note, nil
	}
	puzzle, note = cutNote(line)
	return puzzle, note, g.Set(puzzle)
}

func cutNote(line []byte) (puzzle, note []byte) {
	puzzle, note, _ = bytes.Cut(line, []byte("\t"))
	return puzzle, note
}

// AppendJobResult appends the line of a result: r is the answer to line, whose
// grid is g, and reason why, for an Invalid one. A line that is not a grid is
// Invalid.
func AppendJobResult(b []byte, line JobLine, g *solver.Grid, r *solver.Result, reason error) []byte {
	if solved(r.Status) && packed(line.Text, packedBytes) && r.Solution.Keeps(g) {
		return appendPackedAnswer(b, line.Text, g, r)
	}
	b = AppendResult(b, *r, reason)
	b[len(b)-1] = '\t'
	return append(append(b, line.Text...), '\n')
}

// JobResult is a line of a result, or of a chunk without answers.
type JobResult struct {
	solver.Result        // the zero Result in a chunk without answers
	Reason        string // why, for an Invalid one
	Puzzle        Line
	Text          []byte // of the line as it was sent, where Puzzle is no grid: what is before the note
	Note          []byte // as it was sent; empty where there was none
}

// ParseJobResults yields the lines of a result in order, each until the next one.
// They share the memory of body. A line that is not one ends the sequence with an
// error that says which. A solution obeys the rules; whether it has the clues of
// the puzzle is not known here.
func ParseJobResults(body []byte) iter.Seq2[*JobResult, error] {
	return func(yield func(*JobResult, error) bool) {
		var r JobResult
		n := 0
		for line := range bytes.Lines(body) {
			n++
			line = bytes.TrimSuffix(line, []byte("\n")) // a CR before it is of the note
			r = JobResult{}
			if !r.parse(line) {
				yield(nil, notAnAnswer(n, line))
				return
			}
			if !yield(&r, nil) {
				return
			}
		}
	}
}

func (r *JobResult) parse(line []byte) bool {
	if r.parsePackedAnswer(line) {
		return r.Solution.Complete()
	}
	answer, rest, found := bytes.Cut(line, []byte("\t"))
	if !found || !parseResult(&r.Result, answer) {
		return false
	}
	if r.Status == solver.Invalid {
		r.Reason = string(bytes.TrimPrefix(answer[len("invalid"):], []byte(" ")))
	}
	r.parsePuzzle(rest)
	return !solved(r.Status) || r.Solution.Complete()
}

// parsePuzzle reads a line of a chunk.
func (r *JobResult) parsePuzzle(line []byte) {
	puzzle, note, err := parseJobLine(&r.Puzzle.Grid, line)
	r.Puzzle.Err, r.Note = err, note
	if err != nil {
		r.Text = puzzle
	}
}

// ParseFailed yields the lines of a chunk without answers, each until the next
// one. They share the memory of body.
func ParseFailed(body []byte) iter.Seq[*JobResult] {
	return func(yield func(*JobResult) bool) {
		var r JobResult
		for line := range lines(body) {
			r = JobResult{}
			r.parsePuzzle(line)
			if !yield(&r) {
				return
			}
		}
	}
}

// lines yields the lines of body without their LF or CRLF.
func lines(body []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for len(body) > 0 {
			line, rest := cutLine(body)
			if !yield(line) {
				return
			}
			body = rest
		}
	}
}
