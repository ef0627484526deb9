package scalar

// Tables for a band's nine mini-rows, as an index and as an entry.
var (
	// rows[m] has the mini-rows of m that are on a permutation within m: one in
	// each row and in each stack. In its high half are those of them that have no
	// other one in their row.
	rows [512]uint64

	// near[m] has the mini-rows that share a row or a box with another one that
	// is in m.
	near [512]uint32
)

var (
	peers  [81]set // of each cell, 20 each
	houses [27]set // rows, columns and boxes
)

func init() {
	for m := range uint32(512) {
		free := onPermutation(m)
		rows[m] = uint64(free)
		for i := range 9 {
			row, box, mini := uint32(0o7)<<(i/3*3), uint32(0o111)<<(i%3), uint32(1)<<i
			if free&row == mini {
				rows[m] |= uint64(mini) << 32
			}
			if m&(row|box)&^mini != 0 {
				near[m] |= mini
			}
		}
	}
	for i := range 81 {
		var s set
		s[i%3] = 1 << (i / 3)
		p0, p1, p2 := peersOf(s[0], s[1], s[2])
		peers[i] = set{p0, p1, p2}

		r, c := i/9, i%9
		for _, h := range [3]int{r, 9 + c, 18 + r/3*3 + c/3} {
			houses[h][i%3] |= 1 << (i / 3)
		}
	}
}

// onPermutation returns the mini-rows of m, in a band, that are on a permutation
// within m.
func onPermutation(m uint32) (free uint32) {
	for _, s := range [6][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		if p := uint32(1<<s[0] | 8<<s[1] | 64<<s[2]); m&p == p {
			free |= p
		}
	}
	return free
}
