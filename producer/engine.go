package main

import (
	"sudoku/config"
	"sudoku/solver"
)

// useEngine has the batches of this process solved by the engine of that name. The
// error is a [*config.Error]: the CPU or the build does not have it.
func useEngine(name string) error {
	e, err := solver.ParseEngine(name)
	if err == nil {
		err = solver.UseEngine(e)
	}
	if err != nil {
		return &config.Error{Name: "SUDOKU_ENGINE", Text: err.Error()}
	}
	return nil
}
