package cells

import "encoding/binary"

// The functions below take eight cells at a time, as the bytes of a word. No
// step carries from one byte to the next.

// words is a grid, its text or other bytes of its cells, made up to whole words.
type words [88]byte

// ones times a byte has the byte in each place.
const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

func load(b []byte) uint64       { return binary.LittleEndian.Uint64(b) }
func load32(b []byte) uint32     { return binary.LittleEndian.Uint32(b) }
func store(b []byte, w uint64)   { binary.LittleEndian.PutUint64(b, w) }
func store32(b []byte, w uint32) { binary.LittleEndian.PutUint32(b, w) }

// The words of a grid begin at 0, 8 and so on, and the last one at last, so that
// it has some cells of the one before.
const last = 81 - 8

func parseWords(g, text *Grid) bool {
	var bad uint64
	for i := 0; i < 81; i += 8 {
		i := min(i, last)
		cells, b := parseWord(load(text[i:]))
		store(g[i:], cells)
		bad |= b
	}
	return bad == 0
}

func formatWords(text, g *Grid) bool {
	var bad uint64
	for i := 0; i < 81; i += 8 {
		i := min(i, last)
		cells := load(g[i:])
		store(text[i:], textWord(cells))
		bad |= above(cells, 9)
	}
	return bad == 0
}

func keepsWords(g, puzzle *Grid) bool {
	var other uint64
	for i := 0; i < 81; i += 8 {
		i := min(i, last)
		other |= misplaced(load(puzzle[i:]), load(g[i:]))
	}
	return other == 0
}

func completeWords(g *Grid) bool {
	var bits words
	var nines uint64
	filled := uint64(highs)
	for i := 0; i < 80; i += 8 {
		cells := load(g[i:])
		b, n := bitWord(cells)
		store(bits[i:], b)
		nines += n
		filled &= above(cells, 0) &^ above(cells, 9)
	}
	b, n := bitWord(uint64(g[80]))
	bits[80] = byte(b)
	nines += n
	return filled == highs && 0 < g[80] && g[80] <= 9 && nines*ones>>56 == 9 && bits.allHouses()
}

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

// bitWord turns eight cells, at most 9 each, into bytes with one bit: 1 << d for the
// digits 1 to 7, 1 << 0 for 8, and none for 9, which nines counts.
func bitWord(cells uint64) (bits, nines uint64) {
	bits = ones + cells&ones
	bits ^= (bits ^ bits<<2) & (cells >> 1 & ones * 0xff)
	bits ^= (bits ^ bits<<4) & (cells >> 2 & ones * 0xff)
	nines = cells >> 3 & cells & ones
	return bits &^ (nines << 1), nines
}

// allHouses reports whether the OR of each row, column and box of w is 0xff.
func (w *words) allHouses() bool {
	const all = ^uint64(0)
	const low, middle, high = 0xff, 0xff << 24, 0xff << 40 // first columns of the boxes, of a word that begins with column 0 or 1
	rows, boxes := uint64(all), uint64(all)
	var columns [2]uint64
	for r := 0; r < 81; r += 27 {
		var left, right uint64 // columns 0 to 7 and 1 to 8 of the band
		for i := r; i < r+27; i += 9 {
			a, b := load(w[i:]), load(w[i+1:])
			left |= a
			right |= b
			row := a | b
			row |= row >> 32
			row |= row >> 16
			rows &= row | row>>8
		}
		columns[0] |= left
		columns[1] |= right
		left |= left>>8 | left>>16
		right |= right>>8 | right>>16
		boxes &= left | ^uint64(low|middle)
		boxes &= right | ^uint64(high)
	}
	return rows&low == low && columns[0]&columns[1] == all && boxes == all
}
