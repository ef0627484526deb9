// Package solver solves 9×9 Sudoku puzzles by backtracking search and keeps a
// promise about the answer: the solution it returns is the lexicographically
// smallest one, together with the verdict whether it is the only one. A search
// that was stopped is a [Timeout], never a [None].
//
// Start with [Parse] and [Solve]; [SolveBatch] is for many puzzles, [Count] and
// [All] for puzzles with several solutions.
//
//	g, err := solver.Parse("..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9")
//	…
//	r, err := solver.Solve(ctx, g)
//	fmt.Println(r.Solution, r.Status)
//
// The package imports the standard library only.
package solver
