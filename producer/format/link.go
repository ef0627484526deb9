package format

import "bytes"

// readPacked refuses the links and texts in which some programs pack puzzles of
// all kinds.
func (r *Reader) readPacked() bool {
	l := &r.line
	if len(l.text) < 40 {
		return false
	}
	for _, program := range []string{"f-puzzles.com", "sudokupad.app", "crackingthecryptic.com"} {
		if bytes.Contains(l.text, []byte(program)) {
			r.block.end(r)
			r.badLine("a link to " + program + " has its puzzle packed, which cannot be read")
			return true
		}
	}
	return false
}

// readLink takes a web address with 81 cells in it.
func (r *Reader) readLink() bool {
	l := &r.line
	if !bytes.Contains(l.text, []byte("://")) {
		return false
	}
	for start, end := range chunks(l.text) {
		if l.text[start] == '?' {
			start++
		}
		if isGrid(l.text[start:end]) {
			r.block.end(r)
			r.emitChunk(start)
			r.afterOne = true
			return true
		}
	}
	return false
}
