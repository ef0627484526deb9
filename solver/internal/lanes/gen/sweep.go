package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// cell returns the cell in band b, row r of it, stack k and column j of that.
func cell(b, r, k, j int) int { return 27*b + 9*r + 3*k + j }

// line returns the mini-row in band b, row r of it and stack k.
func line(b, r, k int) int { return 9*b + 3*r + k }

// sweep is one round of deduction, first by bands, then by stacks.
func (v vector) sweep() {
	s := v.begin("sweep")
	v.store(v.constant(0x1ff), s.field("good"))
	v.bands(s)
	empty := v.zero()
	v.clearRows(s)
	steps := append([]step{{"may", 1}, {"twice", 0}, {"mayC", 0}, {"lines", 0}}, stackSteps...)
	s.thrice(steps, func(s state) { v.stack(s, empty) })
	v.verdict(s, empty)
	v.end()
}

// bands takes the singles from their peers, and looks at the mini-rows of
// each band.
func (v vector) bands(s state) {
	var columns [9]Op
	for c := range columns {
		columns[c] = v.hold(s.array("columns", c))
	}
	steps := []step{{"x", 27}, {"singles", 27}, {"rows", 3}, {"boxes", 3}, {"may", 9}, {"twice", 3}}
	s.thrice(steps, func(s state) {
		var any [3][3]register
		var twice [3][3]Op
		for r := range 3 {
			for k := range 3 {
				peers := v.load(s.array("rows", r))
				v.or(peers, s.array("boxes", k))
				var t [3]register
				for j := range t {
					i := cell(0, r, k, j)
					t[j] = v.load(s.array("x", i))
					v.clear2(t[j], peers, columns[3*k+j])
					v.or(t[j], s.array("singles", i))
					v.store(t[j], s.array("x", i))
				}
				var two register
				any[r][k], two = v.count(t)
				twice[r][k] = v.keep(two, s.array("lines", 3*r+k))
			}
		}
		v.lock(s, any, twice, func(r int, may [3]register, two register) {
			for k, m := range may {
				v.store(m, s.array("may", line(0, r, k)))
			}
			v.store(two, s.array("twice", r))
		})
	})
}

// count returns which digits are in any of three cells, and which in two or more.
func (v vector) count(t [3]register) (any, twice register) {
	any = v.copy(t[0])
	v.or3(any, t[1], t[2])
	twice = t[0]
	v.majority(twice, t[1], t[2])
	return any, twice
}

// lock finds the lines of a band or stack each digit may still be in. A digit is
// in three lines no two of which share a row or box: one of the six
// permutations of a 3×3 matrix. It calls each for the rows, with the digits that their
// lines may hold and those that have two places or more.
func (v vector) lock(s state, any [3][3]register, twice [3][3]Op, each func(r int, may [3]register, two register)) {
	var even, odd [3]register // the permutations through line (0, n), by their parity
	for n := range 3 {
		even[n] = v.copy(any[0][n])
		v.and3(even[n], any[1][(n+1)%3], any[2][(n+2)%3])
		odd[n] = any[0][n]
		v.and3(odd[n], any[1][(n+2)%3], any[2][(n+1)%3])
	}
	for r := range 3 {
		var may [3]register
		for k := range may {
			may[k] = v.copy(even[(k-r+3)%3])
			v.or(may[k], odd[(k+r)%3])
		}
		if r == 0 {
			all := v.copy(may[0])
			v.or3(all, may[1], may[2])
			v.and(all, s.field("good"))
			v.store(all, s.field("good"))
		}
		two := v.copy(may[0])
		v.majority(two, may[1], may[2])
		for k := range may {
			v.orBoth(two, may[k], twice[r][k])
		}
		each(r, may, two)
	}
}

// stack looks at the mini-columns of a stack, and brings its cells and houses
// up to date.
func (v vector) stack(s state, empty register) {
	var any [3][3]register
	var twice, may, mayC [3][3]Op
	var twiceC [3]Op
	for b := range 3 {
		for r := range 3 {
			may[b][r] = v.hold(s.array("may", line(b, r, 0)))
		}
	}
	for j := range 3 {
		for b := range 3 {
			var t [3]register
			for r := range t {
				t[r] = v.load(s.array("x", cell(b, r, 0, j)))
				v.and(t[r], may[b][r])
			}
			var two register
			any[j][b], two = v.count(t)
			twice[j][b] = v.keep(two, s.array("lines", 3*j+b))
		}
	}
	v.lock(s, any, twice, func(j int, m [3]register, two register) {
		for b := range m {
			mayC[j][b] = v.keep(m[b], s.array("mayC", 3*j+b))
		}
		twiceC[j] = v.keep(two, s.array("lines", 3*j))
	})
	ones := v.constant(0xffff)
	h := v.houses(s)
	for b := range 3 {
		for r := range 3 {
			// Step by step for three cells at a time, to have independent operations side by
			// side.
			var x, once [3]register
			may := v.load(s.array("may", line(b, r, 0)))
			v.clear(may, s.array("rows", 3*b+r)) // singles found in the stacks before
			for j := range x {
				if b > 0 && r == 0 { // singles found in the bands before
					mayC[j][b] = v.without(mayC[j][b], h.columns[j])
				}
				x[j] = v.load(s.array("x", cell(b, r, 0, j)))
				v.and3(x[j], may, mayC[j][b])
			}
			twiceR := v.load(s.array("twice", 3*b+r))
			for j := range x {
				once[j] = v.withoutBoth(x[j], twiceR, twiceC[j])
			}
			less := v.prefer(x, once, ones)
			for j := range x {
				v.store(x[j], s.array("x", cell(b, r, 0, j)))
			}
			v.or3(empty, less[0], less[1])
			v.or(empty, less[2])
			v.singles(x[:], less[:])
			for j, single := range less {
				h.add(b, r, j, cell(b, r, 0, j), single)
			}
		}
	}
	h.end()
}

// prefer sets x to once, a subset of it, in the lanes where that is not 0, and returns x-1
// in the registers of once. Comparing into masks would take longer.
func (v vector) prefer(x, once [3]register, ones register) (less [3]register) {
	for j := range x {
		VPADDW(ones, x[j], x[j])
	}
	for j := range x {
		VPADDW(ones, once[j], once[j])
	}
	for j := range x {
		VPMINUW(x[j], once[j], once[j])
	}
	for j := range x {
		VPSUBW(ones, once[j], x[j])
	}
	return once
}

// singles sets less, which is x-1, to x where that is one digit, else to 0. If more than the lowest digit of x is left, twice that is more than x.
func (v vector) singles(x, less []register) {
	for j := range x {
		v.and(less[j], x[j])
	}
	for j := range x {
		VPADDW(less[j], less[j], less[j])
	}
	for j := range x {
		VPSUBUSW(less[j], x[j], less[j])
	}
}

// verdict says what the sweep has found.
func (v vector) verdict(s state, empty register) {
	all := v.constant(0x1ff)
	good := v.load(s.field("good"))
	VPSRAW(U8(15), empty, empty)
	v.clear(good, empty)
	g := v.mask(good, all)
	NOTL(g)
	MOVL(g, s.field("bad"))
	full := v.copy(all)
	for _, kind := range []string{"rows", "columns", "boxes"} {
		for i := range 9 {
			v.and(full, s.array(kind, i))
		}
	}
	MOVL(v.mask(full, all), s.field("solved"))
	sum := v.load(s.array("rows", 0))
	for r := 1; r < 9; r++ {
		VPADDW(s.array("rows", r), sum, sum)
	}
	MOVL(v.mask(sum, v.load(s.field("sum"))), s.field("calm"))
	v.store(sum, s.field("sum"))
}
