//go:build never

package main

import _ "sudoku/solver/internal/lanes" // read for the types: keeps it in go.mod
