package cells

// Packed is a grid with two cells in a byte, the first of them in the upper half.
// The first byte has one cell alone, in its lower half; what is in its upper half
// is not looked at, and 0 after Pack.
type Packed = [41]byte

// Clues are the cells of a puzzle that are not empty: bit i%7 of byte i/7 for cell
// i. The highest bit of each byte is 1.
type Clues = [12]byte

// Pack sets p to the cells of g. It reports whether each is at most 9; where one is
// not, p means nothing.
func Pack(p *Packed, g *Grid) bool {
	if vectors.Load() {
		return packVectors(p, g)
	}
	return packWords(p, g)
}

// Unpack sets g to the cells of p. It reports whether each is at most 9; where one
// is not, g means nothing.
func Unpack(g *Grid, p *Packed) bool {
	if vectors.Load() {
		return unpackVectors(g, p)
	}
	return unpackWords(g, p)
}

// FindClues sets c to the clues of puzzle.
func FindClues(c *Clues, puzzle *Grid) {
	var low, high uint64
	if vectors.Load() {
		low, high = filledVectors(puzzle)
	} else {
		low, high = filledWords(puzzle)
	}
	store(c[:], spread(low&(1<<56-1))|highs)
	store32(c[8:], uint32(spread(low>>56|high<<8)|highs))
}

// Clear sets puzzle to the cells of solution that are clues, and the others to 0.
func Clear(puzzle, solution *Grid, c *Clues) {
	low, high := gather(load(c[:])), gather(uint64(load32(c[8:])))
	low, high = low|high<<56, high>>8
	if vectors.Load() {
		clearVectors(puzzle, solution, low, high)
	} else {
		clearWords(puzzle, solution, low, high)
	}
}

// spread puts seven bits of x into each byte.
func spread(x uint64) uint64 {
	x = x&(1<<28-1) | x>>28<<32
	x = x&0x00003fff00003fff | x&0x0fffc0000fffc000<<2
	return x&0x007f007f007f007f | x&0x3f803f803f803f80<<1
}

// gather is the inverse of spread, which does not look at the highest bits.
func gather(x uint64) uint64 {
	x = x&0x007f007f007f007f | x&0x7f007f007f007f00>>1
	x = x&0x00003fff00003fff | x&0x3fff00003fff0000>>2
	return x&(1<<28-1) | x>>32<<28
}

func packWords(p *Packed, g *Grid) bool {
	p[0] = g[0]
	bad := above(uint64(g[0]), 9)
	for i := 0; i < 40; i += 4 {
		w := load(g[2*i+1:])
		bad |= above(w, 9)
		w = (w<<4 | w>>8) & 0x00ff00ff00ff00ff
		w = (w | w>>8) & 0x0000ffff0000ffff
		store32(p[i+1:], uint32(w|w>>16))
	}
	return bad == 0
}

func unpackWords(g *Grid, p *Packed) bool {
	g[0] = p[0] & 0xf
	bad := above(uint64(g[0]), 9)
	for i := 0; i < 40; i += 4 {
		w := uint64(load32(p[i+1:]))
		w = (w | w<<16) & 0x0000ffff0000ffff
		w = (w | w<<8) & 0x00ff00ff00ff00ff
		w = (w>>4 | w<<8) & (0xf * ones)
		store(g[2*i+1:], w)
		bad |= above(w, 9)
	}
	return bad == 0
}

// filledWords returns a bit for each cell that is not empty.
func filledWords(g *Grid) (low, high uint64) {
	for i := 0; i < 64; i += 8 {
		low |= bitsOf(load(g[i:])) << i
	}
	return low, bitsOf(load(g[64:])) | bitsOf(load(g[72:]))<<8 | bitsOf(uint64(g[80]))<<16
}

// bitsOf returns a bit for each byte that is not 0.
func bitsOf(w uint64) uint64 { return above(w, 0) >> 7 * 0x0102040810204080 >> 56 }

// clearWords sets to to the cells of from whose bits are set, and the others to 0.
func clearWords(to, from *Grid, low, high uint64) {
	for i := 0; i < 64; i += 8 {
		store(to[i:], load(from[i:])&bytesOf(low>>i))
	}
	store(to[64:], load(from[64:])&bytesOf(high))
	store(to[72:], load(from[72:])&bytesOf(high>>8))
	to[80] = from[80] & byte(bytesOf(high>>16))
}

// bytesOf returns 0xff in each byte whose bit is set among the lowest eight.
func bytesOf(bits uint64) uint64 {
	return above(bits&0xff*ones&0x8040201008040201, 0) >> 7 * 0xff
}
