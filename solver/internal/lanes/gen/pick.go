package main

import (
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// pick finds in each lane the open cell with the highest key:
//
//	key = (bonus of the cell + weights of the cells of its houses) << 7 | cell
//
// Both depend on the number of candidates. The bonus decides for cells with few
// candidates; a cell that is not open has none and stays below 128<<7. The weights prefer
// cells with open peers, which a guess may decide as well.
func (v vector) pick(name string, counter func() func(x Mem) register) {
	s := v.begin(name)
	count := counter()
	v.weigh(s, count)
	bonus := v.scores(0, 0, 240, 192, 134, 133, 132, 131, 130, 129)
	best := v.zero()
	s.thrice([]step{{"x", 27}, {"counts", 27}, {"may", 3}, {"twice", 3}, {"mayC", 0}}, func(s state) {
		for r := range 3 {
			for k := range 3 {
				house := v.load(s.array("may", r))
				VPADDW(s.array("twice", k), house, house)
				for j := range 3 {
					i := cell(0, r, k, j)
					var n register
					if v.wide() {
						n = count(s.array("x", i))
					} else {
						n = v.load(s.array("counts", i))
					}
					key := bonus(n)
					VPADDW(house, key, key)
					VPADDW(s.array("mayC", 3*k+j), key, key)
					VPMAXUW(key, best, best)
				}
			}
		}
	})
	v.store(best, s.field("key"))
	v.end()
}

// weigh adds up the weights of the cells of each house, as the keys have them. Rows and
// columns have the numbers of their cells as well.
func (v vector) weigh(s state, count func(x Mem) register) {
	weight := v.bytes16(0, 0, 3, 1, 2, 4, 4, 4, 4, 4)
	one, nine := v.constant(1), v.constant(9)
	row, column := v.zero(), v.zero()
	for i := range 9 {
		v.store(row, s.array("may", i))
	}
	s.thrice([]step{{"x", 3}, {"counts", 3}, {"may", 0}, {"twice", 1}, {"mayC", 3}}, func(s state) {
		var columns [3]register
		for j := range columns {
			columns[j] = v.zero()
		}
		for b := range 3 {
			box := v.zero()
			for r := range 3 {
				var sum register
				for j := range 3 {
					i := cell(b, r, 0, j)
					w := count(s.array("x", i))
					if !v.wide() {
						v.store(w, s.array("counts", i))
					}
					VPSHUFB(w, weight, w)
					VPADDW(w, columns[j], columns[j])
					if j == 0 {
						sum = w
					} else {
						VPADDW(w, sum, sum)
					}
				}
				VPADDW(sum, box, box)
				VPADDW(s.array("may", 3*b+r), sum, sum)
				v.store(sum, s.array("may", 3*b+r))
			}
			VPSLLW(U8(7), box, box)
			v.store(box, s.array("twice", 3*b))
		}
		for j, c := range columns {
			VPSLLW(U8(7), c, c)
			VPADDW(column, c, c)
			VPADDW(one, column, column)
			v.store(c, s.array("mayC", j))
		}
	})
	for i := range 9 {
		sum := v.load(s.array("may", i))
		VPSLLW(U8(7), sum, sum)
		VPADDW(row, sum, sum)
		VPADDW(nine, row, row)
		v.store(sum, s.array("may", i))
	}
}

// scores returns a function that looks up a score by a number of candidates, in the
// place it has in a key.
func (v vector) scores(scores ...uint8) func(n register) register {
	if v.wide() {
		var words [32]uint16
		for n, s := range scores {
			words[n] = uint16(s) << 7
		}
		table := v.words32(words)
		return func(n register) register {
			VPERMW(table, n, n)
			return n
		}
	}
	table := v.bytes16(scores...)
	return func(n register) register {
		VPSHUFB(n, table, n)
		VPSLLW(U8(7), n, n)
		return n
	}
}

// popcounts returns a function that counts the bits of each word, with AVX-512 BITALG.
func (v vector) popcounts() func(x Mem) register {
	return func(x Mem) register {
		d := v.register()
		popcount(x, d)
		return d
	}
}

// fives is popcounts for AVX-512 without BITALG and words below 1024. VPERMW looks up
// five bits, and takes no notice of the others.
func (v vector) fives() func(x Mem) register {
	var counts [32]uint16
	for n := range counts {
		counts[n] = uint16(bits.OnesCount(uint(n)))
	}
	table := v.words32(counts)
	return func(x Mem) register {
		low, high := v.load(x), v.register()
		VPSRLW(U8(5), low, high)
		VPERMW(table, low, low)
		VPERMW(table, high, high)
		VPADDW(high, low, low)
		return low
	}
}

// nibbles is popcounts for AVX2.
func (v vector) nibbles() func(x Mem) register {
	nibble := v.bytes16(15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15)
	bits := v.bytes16(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4)
	one := v.bytes16(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
	return func(x Mem) register {
		low := v.load(x)
		high := v.register()
		VPSRLW(U8(4), low, high)
		v.and(high, nibble)
		v.and(low, nibble)
		VPSHUFB(low, bits, low)
		VPSHUFB(high, bits, high)
		VPADDB(high, low, low)
		VPMADDUBSW(one, low, low)
		return low
	}
}
