package main

import (
	"testing"

	"sudoku/solver"
)

func TestUseEngine(t *testing.T) {
	defer solver.UseEngine(solver.Auto)
	for _, e := range []solver.Engine{solver.Auto, solver.AVX512, solver.AVX2, solver.Scalar} {
		want := 0
		if solver.UseEngine(e) != nil {
			want = 2 // the CPU does not have it
		}
		if err := useEngine(e.String()); status(err) != want {
			t.Errorf("useEngine(%v) = %v, status %d, want %d", e, err, status(err), want)
		}
	}
	if got := solver.EngineInUse(); got != solver.Scalar {
		t.Errorf("after useEngine(scalar) the engine is %v", got)
	}
}
