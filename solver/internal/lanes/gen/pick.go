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
	weight := v.bytes16(0, 0, 3, 1, 2, 4, 4, 4, 4, 4)
	count := counter()
	var columns [3]register
	for k := range 3 {
		for j := range columns {
			columns[j] = v.zero()
		}
		for b := range 3 {
			box := v.zero()
			for r := range 3 {
				var row register
				for j := range 3 {
					w := count(s.array("x", cell(b, r, k, j)))
					if !v.wide() {
						v.store(w, s.array("t", cell(b, r, k, j)))
					}
					VPSHUFB(w, weight, w)
					VPADDW(w, columns[j], columns[j])
					if j == 0 {
						row = w
					} else {
						VPADDW(w, row, row)
					}
				}
				VPADDW(row, box, box)
				if k > 0 {
					VPADDW(s.array("may", 3*b+r), row, row)
				}
				v.store(row, s.array("may", 3*b+r))
			}
			v.store(box, s.array("once", 3*b+k))
		}
		for j := range columns {
			v.store(columns[j], s.array("mayC", 3*k+j))
		}
	}
	bonus := v.bytes16(0, 0, 240, 192, 134, 133, 132, 131, 130, 129)
	index, one, best := v.zero(), v.constant(1), v.zero()
	for b := range 3 {
		for r := range 3 {
			for k := range 3 {
				house := v.load(s.array("may", 3*b+r))
				VPADDW(s.array("once", 3*b+k), house, house)
				for j := range 3 {
					i := cell(b, r, k, j)
					var key register
					if v.wide() {
						key = count(s.array("x", i))
					} else {
						key = v.load(s.array("t", i))
					}
					VPSHUFB(key, bonus, key)
					VPADDW(house, key, key)
					VPADDW(s.array("mayC", 3*k+j), key, key)
					VPSLLW(U8(7), key, key)
					VPADDW(index, key, key)
					VPMAXUW(key, best, best)
					VPADDW(one, index, index)
				}
			}
		}
	}
	v.store(best, s.field("key"))
	v.end()
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
