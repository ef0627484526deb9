package lanes

//lint:file-ignore U1000 the kernels use what Go does not

// maxWidth is the number of lanes of the widest kernels.
const maxWidth = 32

// height is the number of nodes the stack holds. A puzzle whose search would
// overflow it is left open. Higher ones have more pages than the TLB has entries.
const height = 1024

// state is what the kernels work on. A vector is one word for each lane, so
// with kernels of width w the word of cell i in lane l is x[w*i+l]. A word
// has a bit for each digit, digit 1 in bit 0. Sweep, pop, start and resume leave
// singles, rows, columns and boxes as x says; who changes x otherwise must call one of
// the last three before the next sweep:
//
//	singles[i] = x[i] where that is one digit, else 0
//	rows[r]    = OR of singles[i] over the cells i of row r; likewise columns and boxes
type state struct {
	x       [81 * maxWidth]uint16 // candidates
	singles [81 * maxWidth]uint16
	rows    [9 * maxWidth]uint16
	columns [9 * maxWidth]uint16
	boxes   [9 * maxWidth]uint16

	// For the sweep's own use. A line is a mini-row or a mini-column, three
	// cells of a box.
	may   [27 * maxWidth]uint16 // digits a mini-row may hold as far as its band knows
	twice [9 * maxWidth]uint16  // digits with two places or more in a row
	mayC  [9 * maxWidth]uint16  // may for the mini-columns of one stack
	lines [9 * maxWidth]uint16  // digits with two places or more in a line, with AVX2
	good  [maxWidth]uint16      // digits that have a place everywhere

	// The sum of rows, 9*0x1ff at most. It gets more with every new single. A lane that got
	// other candidates may seem calm by chance, which leads to a guess too early.
	sum [maxWidth]uint16

	// What a sweep finds, a bit for each lane.
	solved uint32 // every house has nine different singles
	bad    uint32 // no solution: a cell without candidates or a digit without a place
	calm   uint32 // there are no new singles

	counts [81 * maxWidth]uint16 // numbers of candidates, for pick's own use with AVX2

	key [maxWidth]uint16 // what pick finds: score<<7 | cell; a score below 128: no open cell

	// Arguments of pop, start and resume: nodes and fresh puzzles to take in. Argument of
	// push and emit: lanes to take out.
	in, next, out moves

	digits [maxWidth][81]uint8 // puzzles to feed, or grids from flush

	// Matrices with a row for each cell and a column for each grid. A row is an odd
	// number of cache lines long, which spreads a column over all sets of the cache.
	// Kernels read and write as many columns as there are lanes, from any column on.
	nodes    [81][height + maxWidth]uint16 // the stack: what is left to search
	fresh    [81][5 * maxWidth]uint16      // puzzles: blocks of a column for each lane, see feed
	finished [81][3 * maxWidth]uint16      // solutions
}

// moves says how words move between lanes and columns.
type moves struct {
	index [maxWidth]uint16 // lane, by column, of a move out, or column, by lane, of a move in
	lanes uint32           // lanes that a move in changes

	// The same for AVX2: bytes of the low and of the high half to put in each place,
	// 0x80 for none, and which words to change.
	low, high [maxWidth]uint8
	take      [maxWidth / 2]uint16
}

// split sets what AVX2 needs.
func (m *moves) split() {
	for i := range m.take {
		from, low, high := uint8(2*m.index[i]), uint8(0x80), uint8(0x80)
		if from < 16 {
			low = from
		} else {
			high = from - 16
		}
		m.low[2*i], m.low[2*i+1] = low, low|1
		m.high[2*i], m.high[2*i+1] = high, high|1
		m.take[i] = -uint16(m.lanes >> i & 1)
	}
}

// kernels are the functions in assembly for one kind of CPU.
type kernels struct {
	width int
	sweep func(s *state) // one round of deduction in all lanes
	pick  func(s *state) // finds the cell to guess in each lane

	// push writes the lanes of out to the columns of nodes from column on, and emit to
	// those of finished.
	push, emit func(s *state, column int)

	// pop reads the lanes of in from the columns of nodes from column on, and those of
	// next from the columns of fresh from first on; start and resume do half of it.
	pop    func(s *state, column, first int)
	start  func(s *state, first int)
	resume func(s *state, column int)

	// feed writes as many puzzles as there are lanes to block 0 or 1 of fresh, and again
	// two blocks on, so that pop finds block 0 behind block 1.
	feed func(s *state, puzzles *[81]uint8, column int)

	// flush writes the first block of finished to digits, and moves up the second.
	flush func(s *state)
}
