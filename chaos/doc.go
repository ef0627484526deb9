// Package chaos breaks the system on purpose and looks at what comes out. It has
// tests alone. They run the programs as they are, and servers of their own, on
// the loopback interface:
//
//	go test ./chaos                      a few seconds of everything
//	go test -tags chaos -v ./chaos       minutes of everything
//
// Flags after the package change the size of a run:
//
//	-seed N       what to repeat; a run prints its own
//	-rounds N     of faults, each with a seed of its own
//	-puzzles N    of a round
//
// # What is checked
//
// A round has as many answers as puzzles, in their order, each once, and each
// right. What is right is known from how a puzzle was made, or from a search of
// this package, which shares nothing with that of package solver. In the end no
// goroutine is left, and memory has not grown.
//
// # What a seed decides
//
// The puzzles, the faults, and the number of the answer after which each fault
// happens. So no fault waits for a time, only for answers; what the machine does
// between two answers is its own affair.
package chaos
