// Package jobs works on durable jobs, the part of package [sudoku/solver/wire]
// that goes through JetStream: it takes chunks from SUDOKU_JOBS, and stores their
// answers in SUDOKU_RESULTS.
//
// Start with [Start] and [Jobs.Stop]; the caller owns the connection.
//
//	s, err := service.Start(nc, service.Options{})
//	…
//	j, err := jobs.Start(nc, s.Solve, jobs.Options{Idle: s.Idle})
//	…
//	err = j.Stop(ctx) // before the service, which does the searches
//	err = s.Stop(ctx)
//
// # What becomes of a chunk
//
//	SUDOKU_JOBS ──▶ in hand ──▶ solved ──▶ stored in SUDOKU_RESULTS ──▶ acknowledged
//	                        ──▶ handed back: the worker stops
//	                        ──▶ delayed: the search failed, somebody tries again
//	                        ──▶ stored in SUDOKU_DEAD: it is no chunk, or has failed too often
//
// A chunk is acknowledged only when JetStream has acknowledged its answers, so a
// worker that is killed loses nothing: the server gives its chunks to others. A
// worker has few of them in hand, fewer where there are requests, and tells the
// server that it still works on them. Where answers cannot be stored it holds them,
// and tries until it can, or is told to stop.
//
// A worker makes no streams. As long as there are none it looks for them every
// second.
package jobs
