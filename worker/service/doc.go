// Package service answers Sudoku requests that come over NATS, as package
// [sudoku/solver/wire] specifies them: solve, count and all in the queue group
// of the workers, and discovery under $SRV.
//
// Start with [Start] and [Service.Stop]; the caller owns the connection.
//
//	s, err := service.Start(nc, service.Options{})
//	…
//	err = s.Stop(ctx) // every request that arrived is answered when it returns nil
//	nc.Close()
//
// # Background
//
// [Service.Solve] lets durable jobs use the same workers, fairly:
//
//   - Requests come first. A worker does a slice of a job only when no request
//     waits, and a slice is at most 128 puzzles and half a millisecond, or one
//     puzzle and 20 ms. A request that finds all workers busy with jobs waits for
//     the end of the first of these slices. A puzzle that takes longer is searched
//     beside the workers, one at a time.
//   - Jobs do not starve. Where requests never stop waiting, one slice in 100 ms
//     goes first all the same.
package service
