package format

import "bytes"

// readXML takes a line of XML, with any number of puzzles in it: 81 characters
// each, in an attribute or an element, but not in one named solution.
func (r *Reader) readXML() bool {
	l := &r.line
	if l.body()[0] != '<' {
		return false
	}
	r.block.end(r)
	if !r.found && isPage(l.body()) {
		r.giveUp("an HTML page, not a puzzle")
		return true
	}
	var before []byte // the name of the attribute or the element
	for start, end := range chunks(l.text) {
		chunk := l.text[start:end]
		switch {
		case isSolution(before):
		case isGrid(chunk):
			r.emitChunk(start)
		case resemblesGrid(chunk):
			r.badChunk(start, end)
		}
		before = chunk
	}
	r.afterOne = false
	r.noteLine()
	return true
}

// isPage reports whether a line begins an HTML page.
func isPage(text []byte) bool {
	text = bytes.ToLower(text[:min(len(text), 16)])
	return bytes.HasPrefix(text, []byte("<!doctype html")) || bytes.HasPrefix(text, []byte("<html"))
}
