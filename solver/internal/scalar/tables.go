package scalar

// Sets of cells of a band.
const (
	allCells  = 1<<27 - 1
	boxCells  = 0o111111111 // the box of stack 0; shift by k
	rowCells  = 0o007007007 // row 0; shift by 3r
	planeBits = 1<<9 - 1
	threeRows = 0o111            // times a set of cells of row 0: their columns
	planes    = 1<<18 | 1<<9 | 1 // times a set of mini-rows: their cells
)

var (
	// locked[m] has the cells of the mini-rows in m that lie on a permutation
	// within m; none if there is no permutation.
	locked [512]uint32

	// alone[m] has the cells of the mini-rows in m that are the only ones in
	// their row.
	alone [512]uint32

	// besides[m] has the cells of the mini-rows that share a row or a box with
	// another one that is in m.
	besides [512]uint32

	// peers[27*b+bit] has the 20 peers of a cell, by band.
	peers [81][3]uint32

	// position[i] is 27*b+bit of the cell with row-major index i, and cell is
	// its inverse.
	position, cell [81]uint8
)

func init() {
	for i := range 81 {
		b, r, k, j := i/27, i/9%3, i%9/3, i%3
		p := 27*b + 9*j + 3*r + k
		position[i] = uint8(p)
		cell[p] = uint8(i)
	}
	for m := range locked {
		locked[m] = lock(uint32(m)) * planes
		for r := range 3 {
			for k := range 3 {
				row, box := uint32(7<<(3*r)), uint32(0o111<<k)
				mini := uint32(1 << (3*r + k))
				if uint32(m)&row == mini {
					alone[m] |= mini * planes
				}
				if uint32(m)&(row|box)&^mini != 0 {
					besides[m] |= mini * planes
				}
			}
		}
	}
	for p := range peers {
		var s set
		s[p/27] = 1 << (p % 27)
		peers[p] = s.peers()
	}
}

// lock returns the mini-rows that lie on a permutation within m.
func lock(m uint32) (q uint32) {
	for _, s := range [6][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		if p := uint32(1<<s[0] | 8<<s[1] | 64<<s[2]); m&p == p {
			q |= p
		}
	}
	return q
}
