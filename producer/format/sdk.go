package format

import (
	"bytes"
	"strings"
)

// readSection takes the head of a section of a .sdk file. Of these, [Puzzle]
// has the puzzle, while others may have a grid too, half or fully solved.
func (r *Reader) readSection() bool {
	text := r.line.body()
	n := len(text)
	if n < 3 || text[0] != '[' || text[n-1] != ']' || !isName(text[1:n-1]) {
		return false
	}
	r.block.end(r)
	r.passing = isProgress(string(text[1 : n-1]))
	r.afterOne = false
	r.noteLine()
	return true
}

// isName reports whether a text is letters and spaces only.
func isName(text []byte) bool {
	return bytes.IndexFunc(text, func(c rune) bool { return c != ' ' && !isLetter(byte(c)) }) < 0
}

// isProgress reports whether a section has what became of the puzzle.
func isProgress(section string) bool {
	switch strings.ToLower(section) {
	case "state", "solution", "solved", "candidates", "pencilmarks", "marks":
		return true
	}
	return false
}

// readPassed passes over a line of a section that has no puzzle. An empty line
// ends it, too.
func (r *Reader) readPassed() bool { return r.passing }
