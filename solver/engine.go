package solver

import (
	"fmt"
	"slices"
	"sync/atomic"

	"sudoku/solver/internal/cells"
	"sudoku/solver/internal/lanes"
)

// Engine is a way to solve batches. All give the same results; they differ in
// speed, and in what they ask of the CPU.
type Engine uint8

// The engines. Those for AVX-512 and AVX2 search many puzzles in lockstep, one in
// each lane of the vector registers.
const (
	Auto   Engine = iota // the fastest one that the CPU has
	AVX512               // 32 puzzles at once; F, BW, DQ and VL
	AVX2                 // 16 puzzles at once
	Scalar               // one puzzle after the other, on any CPU
)

var engineNames = [...]string{"auto", "avx512", "avx2", "scalar"}

func (e Engine) String() string { return engineNames[e] }

// ParseEngine returns the engine of a name: auto, avx512, avx2 or scalar. It
// returns Auto and an error for any other name.
func ParseEngine(name string) (Engine, error) {
	i := slices.Index(engineNames[:], name)
	if i < 0 {
		return Auto, fmt.Errorf("unknown engine %q, want auto, avx512, avx2 or scalar", name)
	}
	return Engine(i), nil
}

// UseEngine has all batches from now on solved by e, and returns an error, and
// changes nothing, if the CPU or the build does not have it. Without it the engine is
// Auto. It is for tests and for reports of faults. UseEngine is safe for concurrent
// use.
func UseEngine(e Engine) error {
	if s, ok := e.lanes(); ok && !s.Available() {
		return fmt.Errorf("engine %v: not available on this CPU or in this build", e)
	}
	engine.Store(uint32(e))
	useVectors(e)
	return nil
}

// useVectors has text read and written as fits e: without vectors if it is Scalar, so
// that a report of a fault can leave them out.
func useVectors(e Engine) { cells.UseVectors(e != Scalar && lanes.AVX2.Available()) }

func init() { useVectors(Auto) }

// EngineInUse returns the engine that batches are solved by at the moment, which is
// never Auto. It is safe for concurrent use.
func EngineInUse() Engine {
	switch s, ok := Engine(engine.Load()).lanes(); {
	case !ok:
		return Scalar
	case s == lanes.AVX512:
		return AVX512
	default:
		return AVX2
	}
}

// engine is what UseEngine was called with.
var engine atomic.Uint32

// lanes returns the instruction set that e needs, if it needs one.
func (e Engine) lanes() (s lanes.Set, ok bool) {
	switch {
	case e == AVX512 || e == Auto && lanes.AVX512.Available():
		return lanes.AVX512, true
	case e == AVX2 || e == Auto && lanes.AVX2.Available():
		return lanes.AVX2, true
	}
	return 0, false
}
