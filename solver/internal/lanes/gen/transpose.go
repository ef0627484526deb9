package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// Puzzles are transposed in blocks of 16 cells, with eight registers: 16 bytes of a
// register, a part, belong to eight puzzles. blocks are their first cells; the last
// two overlap.
var blocks = [6]int{0, 16, 32, 48, 64, 65}

// feed turns rows of digits into columns of candidates.
func (v vector) feed() {
	s := v.begin("feed")
	from := GP64()
	Load(Param("puzzles"), from)
	to := s.columns("fresh", "column")
	low := v.bytes16(0xff, 1, 2, 4, 8, 16, 32, 64, 128)
	high := v.bytes16(1, 0, 0, 0, 0, 0, 0, 0, 0, 1)
	limit := v.bytes16(10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10)
	for _, block := range blocks {
		var rows [8]register // a puzzle in each part, 16 cells in a part
		for p := range rows {
			rows[p] = v.gather(func(part int) Mem { return Mem{Base: from, Disp: 81*(8*part+p) + block} })
		}
		rows = v.shuffle(rows, 3) // two cells, eight puzzles
		for n, row := range rows {
			VPMINUB(limit, row, row)
			h, l := v.register(), v.register()
			VPSHUFB(row, high, h)
			VPSHUFB(row, low, l)
			even, odd := v.register(), v.register()
			VPUNPCKLBW(h, l, even)
			VPUNPCKHBW(h, l, odd)
			for i, x := range []register{even, odd} {
				m := to.cell(block + 2*n + i)
				v.store(x, m)
				v.store(x, m.Offset(2*v.bytes))
			}
		}
	}
	v.end()
}

// flush turns columns of single digits into rows of numbers, and moves the columns
// of the second block to the first.
func (v vector) flush() {
	s := v.begin("flush")
	to := GP64()
	LEAQ(s.field("digits"), to)
	from := columns{GP64(), s.offset("finished", 1) - s.offset("finished", 0)}
	LEAQ(s.field("finished"), from.base)
	nibble := v.bytes16(15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15)
	low := v.bytes16(0, 1, 2, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 9) // digit 9 saturates to 255
	high := v.bytes16(0, 5, 6, 0, 7, 0, 0, 0, 8)
	for _, block := range blocks {
		var rows [8]register // two cells, eight puzzles
		for n := range rows {
			x := v.load(from.cell(block + 2*n))
			VPACKUSWB(from.cell(block+2*n+1), x, x)
			h := v.register()
			VPSRLW(U8(4), x, h)
			v.and(h, nibble)
			v.and(x, nibble)
			VPSHUFB(x, low, x)
			VPSHUFB(h, high, h)
			VPADDB(h, x, x)
			rows[n] = x
		}
		rows = v.shuffle(rows, 4)
		for p, row := range rows {
			v.scatter(row, func(part int) Mem { return Mem{Base: to, Disp: 81*(8*part+p) + block} })
		}
	}
	for i := range 81 {
		v.store(v.load(from.cell(i).Offset(v.bytes)), from.cell(i))
	}
	v.end()
}

// shuffle does some rounds of a perfect shuffle with a part of all rows. A round
// rotates the seven bits of a byte's number, three for its row and four for its
// place there, by one.
func (v vector) shuffle(rows [8]register, rounds int) [8]register {
	for range rounds {
		var next [8]register
		for i := range 4 {
			next[2*i], next[2*i+1] = v.register(), v.register()
			VPUNPCKLBW(rows[i+4], rows[i], next[2*i])
			VPUNPCKHBW(rows[i+4], rows[i], next[2*i+1])
		}
		rows = next
	}
	return rows
}

// gather loads each part of a register from somewhere.
func (v vector) gather(m func(part int) Mem) register {
	d := v.register()
	if v.wide() {
		VBROADCASTI64X2(m(0), d)
		for part := 1; part < 4; part++ {
			VINSERTI64X2(U8(part), m(part), d, d)
		}
		return d
	}
	VBROADCASTI128(m(0), d)
	VINSERTI128(U8(1), m(1), d, d)
	return d
}

// scatter stores each part of a register somewhere.
func (v vector) scatter(a register, m func(part int) Mem) {
	if v.wide() {
		for part := range 4 {
			VEXTRACTI64X2(U8(part), a, m(part))
		}
		return
	}
	VEXTRACTI128(U8(0), a, m(0))
	VEXTRACTI128(U8(1), a, m(1))
}
