//go:build chaos

package chaos

// The size of a run that is there to find something.
const (
	defaultRounds  = 10
	durablePuzzles = 200_000
)
