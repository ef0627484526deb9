//go:build !chaos

package chaos

// The size of a run that is part of every go test.
const (
	defaultRounds  = 1
	stormPuzzles   = 6_000
	durablePuzzles = 20_000
	soakPuzzles    = 60_000
)
