// Package chaos breaks the system on purpose and looks at what comes out. It has
// tests alone. They run the programs as they are, and servers of their own, on
// the loopback interface:
//
//	go test -v ./chaos                half a minute of everything
//	go test -v -tags chaos ./chaos    some five minutes of everything
//
// Flags after the package change what a run does; those of go test, such as
// -timeout 0, go with them:
//
//	-seed N       of the first round; a run prints it, so that it can be repeated
//	-rounds N     rounds of faults in each test, each with the next seed
//	-puzzles N    puzzles of a round, and of the soak test
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
