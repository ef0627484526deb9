package solver

import "encoding/binary"

// The functions below take eight cells at a time, as the bytes of a word. No
// step carries from one byte to the next.

// words is a grid or its text, made up to whole words.
type words [88]byte

// ones times a byte has the byte in each place.
const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

func load(b []byte) uint64     { return binary.LittleEndian.Uint64(b) }
func store(b []byte, w uint64) { binary.LittleEndian.PutUint64(b, w) }

// above returns the highest bit of each byte of w that is above n, at most 127.
func above(w, n uint64) uint64 { return (w&(0x7f*ones) + (0x7f-n)*ones | w) & highs }

// parseWord turns eight characters into cells; bad is not 0 if one of them
// stands for none.
func parseWord(text uint64) (cells, bad uint64) {
	digits := text ^ '0'*ones
	noDot := above(text^'.'*ones, 0)
	return digits & (noDot >> 7 * 0xff), above(digits, 9) & noDot
}

// textWord turns eight cells, at most 9 each, into characters.
func textWord(cells uint64) uint64 { return cells + '.'*ones + above(cells, 0)>>7*('0'-'.') }

// misplaced is not 0 if one of eight clues has another digit in its cell.
func misplaced(clues, cells uint64) uint64 { return (clues ^ cells) & (above(clues, 0) >> 7 * 0xff) }
