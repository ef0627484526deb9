package format

import (
	"bytes"
	"io"
)

// badLine reports that the line is a puzzle that cannot be read.
func (r *Reader) badLine(reason string) {
	at := r.line.start()
	r.bad(at, at, r.line.excerpt(), reason)
	r.afterOne = true
}

// giveUp reports that the input is nothing to read puzzles from.
func (r *Reader) giveUp(reason string) {
	at := r.line.at(0)
	r.bad(at, at, "", reason)
	r.err = io.EOF
}

// readBinary refuses what is not text: the whole input, if it begins so.
func (r *Reader) readBinary() bool {
	reason := ""
	if r.line.odd || r.line.number == 1 {
		reason = notText(r.line.raw, r.line.number == 1)
	}
	switch {
	case reason == "":
		return false
	case r.found:
		r.block.end(r)
		r.badLine(reason)
	default:
		r.giveUp(reason)
	}
	return true
}

// notText says why a line is not UTF-8 text. An empty string means that it may
// be.
func notText(line []byte, first bool) string {
	if first {
		for begin, reason := range map[string]string{
			"\xff\xfe":     "UTF-16 text; save it as UTF-8",
			"\xfe\xff":     "UTF-16 text; save it as UTF-8",
			"\x1f\x8b":     "not text but compressed with gzip",
			"PK\x03\x04":   "not text but a ZIP archive",
			"%PDF-":        "not text but PDF",
			"\x89PNG":      "not text but a picture (PNG)",
			"\xff\xd8\xff": "not text but a picture (JPEG)",
			"GIF8":         "not text but a picture (GIF)",
		} {
			if bytes.HasPrefix(line, []byte(begin)) {
				return reason
			}
		}
	}
	switch nul := bytes.IndexByte(line, 0); {
	case nul < 0:
		return ""
	case len(line) > 2 && bytes.Count(line, []byte{0}) >= len(line)/2 && nul < 2 && line[nul+1] != 0:
		return "UTF-16 text; save it as UTF-8"
	default:
		return "not text: it has a byte 0"
	}
}

// readLetters takes a row of a larger grid, in which letters are digits, so
// that it is reported as that.
func (r *Reader) readLetters() bool {
	l := &r.line
	text := l.body()
	if n := len(text); n < 10 || n > 25 || !hasLetterDigits(text) {
		return false
	}
	r.block.add(r, &row{n: len(text), first: l.start(), text: l.excerpt()})
	return true
}

// hasLetterDigits reports whether a text has only capital letters, digits and
// blank cells, and not letters alone.
func hasLetterDigits(text []byte) bool {
	letters := 0
	for _, c := range text {
		if 'A' <= c && c <= 'Z' {
			letters++
		} else if cell[c] == notCell || isLetter(c) {
			return false
		}
	}
	return letters < len(text)
}

// readRegions takes the letters that say which region of a jigsaw each cell is
// in, 81 in a line or nine. What came before is no ordinary puzzle then.
func (r *Reader) readRegions() bool {
	text := r.line.body()
	if !isRegions(text, 81) && !isRegions(text, 9) {
		r.jigsaw = false
		return false
	}
	switch b := &r.block; {
	case b.n > 0:
		r.bad(b.rows[0].first, b.rows[0].first, "", jigsaw)
		b.clear()
	case !r.jigsaw:
		r.badLine(jigsaw)
	}
	r.jigsaw = true
	return true
}

const jigsaw = "letters name the regions of a jigsaw, which cannot be read"

// isRegions reports whether a text is n letters, each of them one of nine.
func isRegions(text []byte, n int) bool {
	if len(text) != n {
		return false
	}
	var times [9]int
	for _, c := range text {
		if c |= 0x20; c < 'a' || 'i' < c {
			return false
		}
		times[c-'a']++
	}
	for _, t := range times {
		if n == 81 && t != 9 {
			return false
		}
	}
	return n == 81 || times != [9]int{1, 1, 1, 1, 1, 1, 1, 1, 1}
}

// regionsFollow reports whether the next line is the regions of a jigsaw, as
// far as it is in the buffer: no puzzle waits for the line after it.
func (r *Reader) regionsFollow() bool {
	s := &r.source
	rest := s.buf[s.start+len(r.line.raw) : s.end]
	rest = bytes.TrimPrefix(bytes.TrimPrefix(rest, []byte{'\r'}), []byte{'\n'})
	return len(rest) >= 81 && isRegions(rest[:81], 81)
}
