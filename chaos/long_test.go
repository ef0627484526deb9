//go:build chaos

package chaos

// The size of a run that is there to find something. It takes some five minutes.
const (
	defaultRounds  = 3
	stormPuzzles   = 40_000
	durablePuzzles = 100_000
	soakPuzzles    = 1_000_000
)
