package format

// readHoDoKu takes a line of a HoDoKu library,
//
//	:technique:candidates:grid:eliminated candidates:eliminations:extra
//
// in which a + before a digit says that it was found and not given. It counts
// as a clue; the candidates are not looked at.
func (r *Reader) readHoDoKu() bool {
	l := &r.line
	if l.body()[0] != ':' {
		return false
	}
	field := 0
	for start, end := range split(l.text, ':') {
		if field == 3 && start < end {
			r.block.end(r)
			r.readMarked(start, end)
			r.afterOne = true
			return true
		}
		field++
	}
	return false
}

// readMarked takes a part of the line as a grid in which + marks a digit.
func (r *Reader) readMarked(start, end int) {
	l := &r.line
	r.cells.reset(l.raw)
	for i := start; i < end; i++ {
		if l.text[i] != '+' {
			r.cells.symbol(l.text[i], l.at(i))
		}
	}
	r.flat(l.excerpt())
}
