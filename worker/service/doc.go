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
package service
