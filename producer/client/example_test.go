package client_test

import (
	"context"
	"fmt"
	"log"
	"slices"

	"sudoku/producer/client"
	"sudoku/solver"
	"sudoku/worker/local"
)

// A server and a worker in this process stand for those of your network, to which
// nats.Connect(url) connects.
func Example() {
	l, err := local.Start(local.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer l.Stop(context.Background())
	nc, err := l.Connect()
	if err != nil {
		log.Fatal(err)
	}
	defer nc.Close()

	c, err := client.New(nc, client.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	g, err := solver.Parse("..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..")
	if err != nil {
		log.Fatal(err)
	}
	r, err := c.Solve(context.Background(), g)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Solution, r.Status)
	// Output: 483921657967345821251876493548132976729564138136798245372689514814253769695417382 unique
}

func ExampleClient_SolveAll() {
	l, err := local.Start(local.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer l.Stop(context.Background())
	nc, err := l.Connect()
	if err != nil {
		log.Fatal(err)
	}
	defer nc.Close()
	c, err := client.New(nc, client.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()

	empty, twice := solver.Grid{}, solver.Grid{0: 5, 8: 5}
	puzzles := slices.Values([]solver.Grid{empty, twice})
	for a, err := range c.SolveAll(context.Background(), puzzles) {
		if err != nil {
			fmt.Println(a.Index, err)
			continue
		}
		fmt.Println(a.Index, a.Result.Solution, a.Result.Status)
	}
	// Output:
	// 0 123456789456789123789123456214365897365897214897214365531642978642978531978531642 multiple
	// 1 row 1, column 9 repeats the 5 of row 1, column 1 in row 1
}
