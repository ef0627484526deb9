package format

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// A line longer than maxLine is not read as one; JSON may be, it is read
// byte by byte.
const maxLine = 1 << 20

// A source hands out its input line by line, or byte by byte, from one buffer.
// A line ends with LF, CR LF or a lone CR. It never reads further than it must
// to see the end of a line.
type source struct {
	r       io.Reader
	buf     []byte // buf[start:end] is read and not consumed
	start   int
	end     int
	scanned int   // bytes from start on known to hold no line end
	err     error // what the last Read returned; sticky
	line    int   // number of the line that holds buf[start], from 1
	column  int   // characters of this line before buf[start]
	afterCR bool  // the previous line ended with CR: an LF at start belongs to it
	begun   bool  // begin has been called
}

func newSource(r io.Reader) source {
	return source{r: r, buf: make([]byte, 1<<16), line: 1}
}

// fill reads once more, and reports whether there is more in the buffer now.
func (s *source) fill() bool {
	if s.err != nil {
		return false
	}
	if s.end == len(s.buf) {
		s.makeRoom()
	}
	for range 100 {
		n, err := s.r.Read(s.buf[s.end:])
		s.end += n
		s.err = err
		if n > 0 || err != nil {
			return n > 0
		}
	}
	s.err = io.ErrNoProgress
	return false
}

func (s *source) makeRoom() {
	buf := s.buf
	if s.start < len(buf)/2 {
		buf = make([]byte, 2*len(buf))
	}
	s.end = copy(buf, s.buf[s.start:s.end])
	s.buf, s.start = buf, 0
}

// skipLF drops the LF of a CR LF whose CR has ended the previous line.
func (s *source) skipLF() {
	if !s.afterCR || s.start == s.end && !s.fill() {
		return
	}
	if s.afterCR = false; s.buf[s.start] == '\n' {
		s.start++
	}
}

// peek returns the next line without its end. It is valid until the next call.
// ok is false at the end of the input, or if reading failed before the line was
// complete. whole is false for a line longer than maxLine, which is then cut.
func (s *source) peek() (line []byte, whole, ok bool) {
	s.skipLF()
	for {
		if i := lineEnd(s.buf[s.start+s.scanned : s.end]); i >= 0 {
			s.scanned += i
			return s.buf[s.start : s.start+s.scanned], true, true
		}
		s.scanned = s.end - s.start
		if s.scanned > maxLine {
			return s.buf[s.start:s.end], false, true
		}
		if !s.fill() {
			return s.buf[s.start:s.end], true, s.err == io.EOF && s.start < s.end
		}
	}
}

// lineEnd returns the index of the first line end, -1 for none.
func lineEnd(b []byte) int {
	lf := bytes.IndexByte(b, '\n')
	if lf >= 0 {
		b = b[:lf]
	}
	if cr := bytes.IndexByte(b, '\r'); cr >= 0 {
		return cr
	}
	return lf
}

// next consumes the line that peek has returned, and its end.
func (s *source) next() {
	s.start += s.scanned
	s.scanned = 0
	s.endLine()
}

// endLine consumes a line end, if there is one at start.
func (s *source) endLine() {
	if s.start == s.end {
		return
	}
	s.afterCR = s.buf[s.start] == '\r'
	s.start++
	s.line++
	s.column = 0
}

// discard consumes the rest of the line, however long it is.
func (s *source) discard() {
	for {
		if i := lineEnd(s.buf[s.start:s.end]); i >= 0 {
			s.start += i
			s.scanned = 0
			s.endLine()
			return
		}
		s.start, s.end, s.scanned = 0, 0, 0
		if !s.fill() {
			return
		}
	}
}

// begin drops a UTF-8 byte order mark the first time it is called.
func (s *source) begin() {
	if s.begun {
		return
	}
	s.begun = true
	bom := []byte("\xef\xbb\xbf")
	for s.end-s.start < len(bom) && bytes.HasPrefix(bom, s.buf[s.start:s.end]) {
		if !s.fill() {
			return
		}
	}
	if bytes.HasPrefix(s.buf[s.start:s.end], bom) {
		s.start += len(bom)
	}
}

// byte returns the next byte. ok is false at the end of the input, or if
// reading failed.
func (s *source) byte() (c byte, ok bool) {
	s.skipLF()
	if s.start == s.end && !s.fill() {
		return 0, false
	}
	return s.buf[s.start], true
}

// advance consumes the byte that was returned last; it is not a line end.
func (s *source) advance() {
	if utf8.RuneStart(s.buf[s.start]) {
		s.column++
	}
	s.start++
}

// skip consumes the first n characters of the line that peek has returned.
func (s *source) skip(n int) {
	s.scanned = 0
	s.column = n
	for range n {
		_, size := utf8.DecodeRune(s.buf[s.start:s.end])
		s.start += size
	}
}

// skipRest consumes the line up to its end.
func (s *source) skipRest() {
	for {
		if c, ok := s.byte(); !ok || c == '\n' || c == '\r' {
			return
		}
		s.advance()
	}
}

// spot returns the place of the next byte.
func (s *source) spot() spot { return spot{s.line, s.column + 1} }
