package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// columns is a matrix of the state from some column on.
type columns struct {
	base   reg.GPVirtual
	stride int
}

// columns returns the matrix of a name from the column in a parameter on.
func (s state) columns(name, param string) columns {
	p, c := GP64(), GP64()
	LEAQ(s.field(name), p)
	Load(Param(param), c)
	LEAQ(Mem{Base: p, Index: c, Scale: 2}, p)
	return columns{p, s.offset(name, 1) - s.offset(name, 0)}
}

// advance moves c on by so many cells.
func (c columns) advance(cells int) { ADDQ(I32(cells*c.stride), c.base) }

// cell returns the address of the row of cell i.
func (c columns) cell(i int) Mem { return Mem{Base: c.base, Disp: i * c.stride} }

// push and emit write the lanes of out to consecutive columns.
func (v vector) push() { v.moveOut("push", "nodes") }
func (v vector) emit() { v.moveOut("emit", "finished") }

func (v vector) moveOut(name, matrix string) {
	s := v.begin(name)
	to := s.columns(matrix, "column")
	out := s.permutation("out")
	s.thrice([]step{{"x", 27}}, func(s state) {
		for i := range 27 {
			v.store(out.apply(s.array("x", i)), to.cell(i))
		}
		to.advance(27)
	})
	v.end()
}

// pop reads the lanes of in and next, start only those of next, and resume only
// those of in. They bring the singles and houses up to date.
func (v vector) pop()    { v.moveIn("pop", "nodes", "fresh") }
func (v vector) start()  { v.moveIn("start", "fresh") }
func (v vector) resume() { v.moveIn("resume", "nodes") }

func (v vector) moveIn(name string, matrices ...string) {
	s := v.begin(name)
	var from []source
	for _, matrix := range matrices {
		from = append(from, s.source(matrix))
	}
	ones := v.constant(0xffff)
	v.clearRows(s)
	s.thrice(stackSteps, func(s state) {
		h := v.houses(s)
		for b := range 3 {
			for r := range 3 {
				for j := range 3 {
					i := cell(b, r, 0, j)
					x, less := v.load(s.array("x", i)), v.register()
					for _, f := range from {
						f.merge(f.columns.cell(i), x)
					}
					v.store(x, s.array("x", i))
					VPADDW(ones, x, less)
					v.singles([]register{x}, []register{less})
					h.add(b, r, j, i, less)
				}
			}
		}
		h.end()
		for _, f := range from {
			f.columns.advance(3)
		}
	})
	v.end()
}

// source is a matrix that lanes are read from.
type source struct {
	columns columns
	permutation
}

func (s state) source(matrix string) source {
	if matrix == "fresh" {
		return source{s.columns(matrix, "first"), s.permutation("next")}
	}
	return source{s.columns(matrix, "column"), s.permutation("in")}
}

// permutation is an argument of type moves in registers.
type permutation struct {
	v         vector
	index     register          // AVX-512
	lanes     reg.OpmaskVirtual // AVX-512
	low, high register          // AVX2
	take      Mem               // AVX2
}

func (s state) permutation(name string) permutation {
	if s.v.wide() {
		p := permutation{v: s.v, index: s.v.load(s.field(name, "index")), lanes: K()}
		KMOVD(s.field(name, "lanes"), p.lanes)
		return p
	}
	return permutation{
		v:    s.v,
		low:  s.v.load(s.field(name, "low")),
		high: s.v.load(s.field(name, "high")),
		take: s.field(name, "take"),
	}
}

// apply returns m permuted.
func (p permutation) apply(m Mem) register {
	d := p.v.register()
	if p.v.wide() {
		VPERMW(m, p.index, d)
		return d
	}
	high := p.v.register()
	VBROADCASTI128(m, d)
	VBROADCASTI128(m.Offset(16), high)
	VPSHUFB(p.low, d, d)
	VPSHUFB(p.high, high, high)
	p.v.or(d, high)
	return d
}

// merge sets the lanes of d that the permutation is for.
func (p permutation) merge(m Mem, d register) {
	if p.v.wide() {
		VPERMW(m, p.index, p.lanes, d)
		return
	}
	take := p.v.load(p.take)
	VPBLENDVB(take, p.apply(m), d, d)
}
