package plain_test

import (
	"fmt"
	"testing"

	"sudoku/solver/internal/plain"
)

// This grid lacks two rows, which can be filled in eight ways.
func ExampleAll() {
	g := plain.Grid{
		0, 0, 0, 0, 0, 0, 0, 0, 0,
		4, 5, 6, 7, 8, 9, 1, 2, 3,
		0, 0, 0, 0, 0, 0, 0, 0, 0,
		2, 1, 4, 3, 6, 5, 8, 9, 7,
		3, 6, 5, 8, 9, 7, 2, 1, 4,
		8, 9, 7, 2, 1, 4, 3, 6, 5,
		5, 3, 1, 6, 4, 2, 9, 7, 8,
		6, 4, 2, 9, 7, 8, 5, 3, 1,
		9, 7, 8, 5, 3, 1, 6, 4, 2,
	}
	plain.All(g, 1000, func(s plain.Grid) bool {
		fmt.Println(s[:9], s[18:27])
		return true
	})
	// Output:
	// [1 2 3 4 5 6 7 8 9] [7 8 9 1 2 3 4 5 6]
	// [1 2 9 4 5 3 7 8 6] [7 8 3 1 2 6 4 5 9]
	// [1 8 3 4 2 6 7 5 9] [7 2 9 1 5 3 4 8 6]
	// [1 8 9 4 2 3 7 5 6] [7 2 3 1 5 6 4 8 9]
	// [7 2 3 1 5 6 4 8 9] [1 8 9 4 2 3 7 5 6]
	// [7 2 9 1 5 3 4 8 6] [1 8 3 4 2 6 7 5 9]
	// [7 8 3 1 2 6 4 5 9] [1 2 9 4 5 3 7 8 6]
	// [7 8 9 1 2 3 4 5 6] [1 2 3 4 5 6 7 8 9]
}

func TestAllGivesUp(t *testing.T) {
	found := func(plain.Grid) bool { return false }
	if plain.All(plain.Grid{}, 80, found) {
		t.Error("All of the empty grid in 80 steps = true, want false")
	}
	if !plain.All(plain.Grid{}, 1000, found) {
		t.Error("All of the empty grid in 1000 steps = false, want true")
	}
}
