package solver_test

import (
	"context"
	"errors"
	"fmt"
	"math"

	"sudoku/solver"
)

func Example() {
	g, err := solver.Parse("..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9")
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := solver.Solve(context.Background(), g)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Solution, r.Status)
	// Output: 987654321246173985351928746128537694634892157795461832519286473472319568863745219 unique
}

func ExampleParse() {
	_, err := solver.Parse("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..7O")
	fmt.Println(err)
	// Output: row 9, column 9: unexpected "O", want a digit 1 to 9, or . or 0 for an empty cell
}

func ExampleGrid_Check() {
	g, _ := solver.Parse("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8.579")
	err := g.Check()
	fmt.Println(err)

	var conflict *solver.ConflictError
	if errors.As(err, &conflict) {
		fmt.Println(conflict.House, conflict.Number, conflict.First, conflict.Second)
	}
	// Output:
	// row 9, column 7 repeats the 5 of row 8, column 9 in box 9
	// box 8 71 78
}

func ExampleSolve() {
	none, _ := solver.Parse(".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........")
	_, err := solver.Solve(context.Background(), none)
	fmt.Println(err)

	two, _ := solver.Parse(".39...12....9.7...8..4.1..6.42...79...........91...54.5..1.9..3...8.5....14...87.")
	r, _ := solver.Solve(context.Background(), two)
	fmt.Println(r.Status, r.Solution)
	// Output:
	// no solution
	// multiple 439658127156927384827431956342516798785294631691783542578149263263875419914362875
}

func ExampleSolveBatch() {
	var src []solver.Grid
	for _, text := range []string{
		"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
		"55...............................................................................",
		".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........",
	} {
		g, _ := solver.Parse(text)
		src = append(src, g)
	}
	dst := make([]solver.Result, len(src))
	solver.SolveBatch(context.Background(), dst, src)
	for i, r := range dst {
		if err := r.Err(src[i]); err != nil {
			fmt.Println(r.Status, err)
			continue
		}
		fmt.Println(r.Status, r.Solution)
	}
	// Output:
	// unique 534678912672195348198342567859761423426853791713924856961537284287419635345286179
	// invalid row 1, column 2 repeats the 5 of row 1, column 1 in row 1
	// none no solution
}

func ExampleCount() {
	g, _ := solver.Parse("1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2......")
	n, err := solver.Count(context.Background(), g, math.MaxInt)
	fmt.Println(n, err)

	n, err = solver.Count(context.Background(), g, 100)
	fmt.Println(n, "or more", err)
	// Output:
	// 801 <nil>
	// 100 or more <nil>
}

func ExampleAll() {
	g, _ := solver.Parse("..3.....6...98..2.9426..7..45...6............1.9.5.47.....25.4.6...785...........")
	for s := range solver.All(context.Background(), g) {
		fmt.Println(s)
	}
	// Output:
	// 783542196516987324942631758457296813238714965169853472891325647624178539375469281
	// 783542916516987324942631758457216839238794165169853472891325647624178593375469281
	// 783542916516987324942631758457216893238794165169853472891325647624178539375469281
}
