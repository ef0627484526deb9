package wire

import (
	"bytes"
	"slices"

	"sudoku/solver"
	"sudoku/solver/internal/cells"
)

// The upper half of the first byte of a packed grid. No text in UTF-8 begins with
// such a byte. In the others each half is at most 9, so that none is a line feed.
const (
	tagUnique   = 0x80 // a puzzle, or its only solution
	tagMultiple = 0x90 // the smallest of several solutions
	tags        = 0xf0
)

const (
	packedBytes = len(cells.Packed{})
	answerBytes = packedBytes + len(cells.Clues{})
)

// appendPacked appends a puzzle without a line feed, packed where its cells are at
// most 9.
func appendPacked(b []byte, g *solver.Grid) []byte {
	n := len(b)
	packed := slices.Grow(b, packedBytes)[:n+packedBytes]
	if !cells.Pack((*cells.Packed)(packed[n:]), (*cells.Grid)(g)) {
		return g.Append(b)
	}
	packed[n] |= tagUnique
	return packed
}

// parsePacked sets g to the puzzle of a line of a chunk, and reports whether that
// is packed.
func parsePacked(g *solver.Grid, line []byte) bool {
	return packed(line, packedBytes) && line[0]&tags == tagUnique && cells.Unpack((*cells.Grid)(g), (*cells.Packed)(line))
}

// JobText returns the lines of a chunk as text: those that are packed unpacked, and
// the others as they are.
func JobText(body []byte) []byte {
	text := make([]byte, 0, 2*len(body))
	for line := range bytes.Lines(body) {
		var g solver.Grid
		if end := bytes.TrimRight(line, "\r\n"); parsePacked(&g, end) {
			text = g.Append(text)
			line = line[packedBytes:]
		}
		text = append(text, line...)
	}
	return text
}

// packed reports whether line begins with n bytes that are packed, before a note
// or the end.
func packed(line []byte, n int) bool {
	return len(line) >= n && line[0] >= tagUnique && (len(line) == n || line[n] == '\t')
}

// appendPackedAnswer appends a solution of g as the answer to a packed line.
func appendPackedAnswer(b []byte, line []byte, g *solver.Grid, r *solver.Result) []byte {
	tag := byte(tagUnique)
	if r.Status == solver.Multiple {
		tag = tagMultiple
	}
	n := len(b)
	b = slices.Grow(b, answerBytes)[:n+answerBytes]
	cells.Pack((*cells.Packed)(b[n:]), (*cells.Grid)(&r.Solution))
	cells.FindClues((*cells.Clues)(b[n+packedBytes:]), (*cells.Grid)(g))
	b[n] |= tag
	b = append(b, line[packedBytes:]...)
	return append(b, '\n')
}

// parsePackedAnswer reads a line of a result, and reports whether it is packed.
func (r *JobResult) parsePackedAnswer(line []byte) bool {
	if !packed(line, answerBytes) || !cells.Unpack((*cells.Grid)(&r.Solution), (*cells.Packed)(line)) {
		return false
	}
	switch line[0] & tags {
	case tagUnique:
		r.Status = solver.Unique
	case tagMultiple:
		r.Status = solver.Multiple
	default:
		return false
	}
	cells.Clear((*cells.Grid)(&r.Puzzle.Grid), (*cells.Grid)(&r.Solution), (*cells.Clues)(line[packedBytes:]))
	_, r.Note = cutNote(line[answerBytes:])
	return true
}
