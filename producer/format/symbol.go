package format

import (
	"encoding/binary"
	"unicode/utf8"
)

// notCell marks, in the table cell, a character that is no cell.
const notCell = 0xff

// cell has the digit of every character that can stand for a cell, 0 for a
// blank one.
var cell = func() (t [256]uint8) {
	for i := range t {
		t[i] = notCell
	}
	for d := range uint8(10) {
		t['0'+d] = d
	}
	for _, blank := range ".*_-xX?" {
		t[blank] = 0
	}
	return t
}()

// other stands in a plain line for every character without an ASCII twin.
const other = 0x7f

// twins are the ASCII characters that some others are read as.
var twins = func() map[rune]byte {
	t := map[rune]byte{'　': ' ', '\u00a0': ' ', '\ufeff': ' ', '\u200b': ' ', '\f': ' ', '\v': ' ', 0x1a: ' ', '、': ',', '，': ',', '；': ';'}
	for c := byte('!'); c <= '~'; c++ {
		t[rune(c)+'！'-'!'] = c // the full-width forms
	}
	for r, all := range map[byte]string{
		'.': "·•∙⋅。□▢☐",
		'-': "–—−─━═╌╍┄┅┈┉╴╶╸╺",
		'|': "│┃║┆┇┊┋╎╏╵╷╹╻¦",
	} {
		for _, twin := range all {
			t[twin] = r
		}
	}
	for r := rune(0x250c); r <= 0x256c; r++ { // the corners and crossings
		if _, line := t[r]; !line {
			t[r] = '+'
		}
	}
	return t
}()

// plain appends line to buf with one byte for each of its characters, so that
// an index is a column: ASCII as it is, full-width and box drawing characters
// as their ASCII twins, anything else as other.
func plain(line, buf []byte) []byte {
	for len(line) > 0 {
		r, size := utf8.DecodeRune(line)
		buf = append(buf, twin(r))
		line = line[size:]
	}
	return buf
}

// isPlain reports whether a line is printable ASCII and tabs, which plain
// leaves as they are.
func isPlain(line []byte) bool {
	for len(line) >= 8 && isPrintable(binary.LittleEndian.Uint64(line)) {
		line = line[8:]
	}
	for _, c := range line {
		if c >= other || c < ' ' && c != '\t' {
			return false
		}
	}
	return true
}

// isPrintable reports whether eight characters are all from the space up to
// the ~. The sum has the high bit of each that is greater, the difference of
// the first that is less.
func isPrintable(x uint64) bool {
	const ones = 0x0101010101010101
	return (x|(x+ones)|(x-' '*ones))&(0x80*ones) == 0
}

func twin(r rune) byte {
	if r == '\t' || ' ' <= r && r < other {
		return byte(r)
	}
	if c, ok := twins[r]; ok {
		return c
	}
	return other
}

// character returns the nth character of line, as it is written.
func character(line []byte, n int) string {
	for ; n > 0 && len(line) > 0; n-- {
		_, size := utf8.DecodeRune(line)
		line = line[size:]
	}
	_, size := utf8.DecodeRune(line)
	return string(line[:size])
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isSpace(c byte) bool  { return c == ' ' || c == '\t' }
