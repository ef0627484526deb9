package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// vector is an instruction set: AVX-512 with 32 lanes of 64 bytes together, or
// AVX2 with 16 of 32. Where an operation has a destination d, that is its first
// operand as well. Operands of type Op may be in memory.
type vector struct {
	bytes  int
	suffix string
}

type register = reg.VecVirtual

func (v vector) wide() bool { return v.bytes == 64 }

func (v vector) register() register {
	if v.wide() {
		return ZMM()
	}
	return YMM()
}

// begin starts a kernel and returns its state.
func (v vector) begin(name string) state {
	Implement(name + v.suffix)
	return state{v, Dereference(Param("s")), map[string]Mem{}}
}

func (v vector) end() {
	VZEROUPPER()
	RET()
}

// state is the argument of a kernel.
type state struct {
	v     vector
	s     gotypes.Component
	bases map[string]Mem // of the arrays in use
}

// field returns the address of a field, or of its first element.
func (s state) field(path ...string) Mem {
	c := s.s
	for _, name := range path {
		c = c.Field(name)
	}
	return address(c)
}

// offset returns the offset of an element of a field.
func (s state) offset(name string, i int) int { return address(s.s.Field(name).Index(i)).Disp }

// address returns the address of a component, or of its first element.
func address(c gotypes.Component) Mem {
	b, err := c.Resolve()
	for range 2 {
		if err != nil {
			c = c.Index(0)
			b, err = c.Resolve()
		}
	}
	if err != nil {
		panic(err)
	}
	return b.Addr
}

// array returns the i-th vector of a field. Each array has a base register of its
// own, which makes instructions shorter: a displacement of up to 127 vectors
// takes one byte.
func (s state) array(name string, i int) Mem {
	base, ok := s.bases[name]
	if !ok {
		p := GP64()
		LEAQ(s.field(name), p)
		base = Mem{Base: p}
		s.bases[name] = base
	}
	return base.Offset(i * s.v.bytes)
}

// step says how many vectors an array moves on.
type step struct {
	name    string
	vectors int
}

// thrice repeats body, for the bands or for the stacks. The instructions stand only
// once, because all kernels together must fit the cache of decoded instructions. Body uses
// the arrays of steps, as for the first band or stack.
func (s state) thrice(steps []step, body func(s state)) {
	in := state{s.v, s.s, map[string]Mem{}}
	for _, step := range steps {
		in.array(step.name, 0)
	}
	n := GP64()
	MOVQ(U64(3), n)
	labels++
	label := fmt.Sprintf("again%d", labels)
	Label(label)
	body(in)
	for _, step := range steps {
		if step.vectors > 0 {
			ADDQ(I32(step.vectors*s.v.bytes), in.bases[step.name].Base)
		}
	}
	DECQ(n)
	JNE(LabelRef(label))
}

var labels int

func (v vector) load(m Op) register {
	d := v.register()
	v.move(m, d)
	return d
}

// keep stores a in m where registers are few, and returns where it is.
func (v vector) keep(a register, m Mem) Op {
	if v.wide() {
		return a
	}
	v.store(a, m)
	return m
}

// hold loads m where registers are many, and returns where it is.
func (v vector) hold(m Mem) Op {
	if v.wide() {
		return v.load(m)
	}
	return m
}

func (v vector) copy(a register) register { return v.load(a) }

func (v vector) store(a register, m Mem) { v.move(a, m) }

func (v vector) move(from, to Op) {
	if v.wide() {
		VMOVDQU64(from, to)
	} else {
		VMOVDQU(from, to)
	}
}

// constant returns a vector of w in each lane.
func (v vector) constant(w uint16) register {
	g, x, d := GP32(), XMM(), v.register()
	MOVL(U32(w), g)
	if v.wide() {
		VPBROADCASTW(g, d)
	} else {
		VMOVD(g, x)
		VPBROADCASTW(x, d)
	}
	return d
}

// zero returns a vector of zeros.
func (v vector) zero() register {
	d := v.register()
	if v.wide() {
		VPXORD(d, d, d)
	} else {
		VPXOR(d, d, d)
	}
	return d
}

// The three operands of a ternary operation: its constant is the value of the
// operation for these.
const (
	first  = 0xf0
	second = 0xcc
	third  = 0xaa
)

func (v vector) ternary(f uint8, d, b register, c Op) { VPTERNLOGD(U8(f), c, b, d) }

// and is d &= b.
func (v vector) and(d register, b Op) {
	if v.wide() {
		VPANDD(b, d, d)
	} else {
		VPAND(b, d, d)
	}
}

// or is d |= b.
func (v vector) or(d register, b Op) {
	if v.wide() {
		VPORD(b, d, d)
	} else {
		VPOR(b, d, d)
	}
}

// and3 is d &= b & c.
func (v vector) and3(d, b register, c Op) {
	if v.wide() {
		v.ternary(first&second&third, d, b, c)
		return
	}
	v.and(d, b)
	v.and(d, c)
}

// or3 is d |= b | c.
func (v vector) or3(d, b register, c Op) {
	if v.wide() {
		v.ternary(first|second|third, d, b, c)
		return
	}
	v.or(d, b)
	v.or(d, c)
}

// majority is d = d&b | d&c | b&c.
func (v vector) majority(d, b register, c register) {
	if v.wide() {
		v.ternary(first&second|first&third|second&third, d, b, c)
		return
	}
	t := YMM()
	VPOR(d, b, t)
	VPAND(c, t, t)
	VPAND(d, b, d)
	VPOR(d, t, d)
}

// clear2 is d &^= b | c.
func (v vector) clear2(d, b register, c Op) {
	if v.wide() {
		v.ternary(first&^(second|third), d, b, c)
		return
	}
	t := YMM()
	VPOR(c, b, t)
	VPANDN(d, t, d)
}

// orBoth is d |= b & c.
func (v vector) orBoth(d, b register, c Op) {
	if v.wide() {
		v.ternary(first|second&third, d, b, c)
		return
	}
	t := YMM()
	VPAND(c, b, t)
	VPOR(d, t, d)
}

// withoutBoth returns a &^ (b & c).
func (v vector) withoutBoth(a, b register, c Op) register {
	d := v.register()
	if v.wide() {
		v.move(a, d)
		v.ternary(first&^(second&third), d, b, c)
		return d
	}
	VPAND(c, b, d)
	VPANDN(a, d, d)
	return d
}

// clear is d &^= b. A ternary operation takes as long as two others.
func (v vector) clear(d register, b Op) { v.andNot(d, d, b) }

// without returns a &^ b.
func (v vector) without(a Op, b register) register {
	d := v.register()
	v.andNot(d, a, b)
	return d
}

// andNot is d = a &^ b.
func (v vector) andNot(d register, a, b Op) {
	t, ok := b.(register)
	if !ok {
		t = v.load(b)
	}
	if v.wide() {
		VPANDND(a, t, d)
	} else {
		VPANDN(a, t, d)
	}
}

// mask returns a bit for each lane where a and b are equal.
func (v vector) mask(a, b register) reg.GPVirtual {
	g := GP32()
	if v.wide() {
		k := K()
		VPCMPEQW(a, b, k)
		KMOVD(k, g)
		return g
	}
	t, low, high := YMM(), XMM(), XMM()
	VPCMPEQW(a, b, t)
	VEXTRACTI128(U8(0), t, low)
	VEXTRACTI128(U8(1), t, high)
	VPACKSSWB(high, low, low)
	VPMOVMSKB(low, g)
	return g
}

// popcount is d = the number of bits of x, with AVX-512 BITALG.
func popcount(x Op, d register) {
	Instruction(&ir.Instruction{
		Opcode:   "VPOPCNTW",
		Operands: []Op{x, d},
		Inputs:   []Op{x},
		Outputs:  []Op{d},
		ISA:      []string{"AVX512BITALG"},
	})
}

// words32 returns a vector of 32 words.
func (v vector) words32(words [32]uint16) register {
	m := table()
	for i, w := range words {
		DATA(2*i, U16(w))
	}
	return v.load(m)
}

// bytes16 returns a vector of 16 bytes, repeated; zeros where none are given.
func (v vector) bytes16(bytes ...uint8) register {
	m := table()
	for i := range 16 {
		b := uint8(0)
		if i < len(bytes) {
			b = bytes[i]
		}
		DATA(i, U8(b))
	}
	d := v.register()
	if v.wide() {
		VBROADCASTI64X2(m, d)
	} else {
		VBROADCASTI128(m, d)
	}
	return d
}

// table starts a constant.
func table() Mem {
	tables++
	return GLOBL(fmt.Sprintf("table%d", tables), attr.NOPTR|attr.RODATA)
}

var tables int
