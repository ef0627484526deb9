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
// [Service.Solve] lets durable jobs use the same slots, fairly. A slot is a worker
// that answers requests, and a thread that does background searches:
//
//		request    ──▶ worker ─┐
//		                       ├─ slot
//		background ──▶ thread ─┘
//
//	  - Requests do not wait for jobs: their workers are there whatever the threads
//	    do, and the thread of a slot whose worker has served a request does nothing
//	    for 20 ms. It notices after a slice, of at most 128 puzzles and half a
//	    millisecond, or one puzzle and 20 ms.
//	  - Nor does the rest of the way of a request. On Linux the threads have a low
//	    priority, so that the server, the requester and this program interrupt them
//	    when a message comes. Without it two busy threads keep two CPUs for 3 ms and
//	    more at a time, and each message of a request waits for that: its 99th
//	    percentile was 6 ms instead of 0.7.
//	  - To wake a thread for each chunk, and then who waits for it, takes as long as
//	    to solve a chunk of easy puzzles. So where no slot has had a request for half a
//	    second, nor one of many puzzles for 20 ms, a search begins at once, and after
//	    0.2 ms a thread goes on with what is left.
//	  - [Service.Idle] tells who brings the jobs how many slots that is true for.
//	    Package jobs takes chunks for those.
//	  - Jobs do not starve. The first slot never gives way, and Linux gives its thread
//	    some 3 % of a CPU that an ordinary one wants too.
//	  - A puzzle that has used up its slices is searched beside the slots, one at a
//	    time.
//
// The Go runtime should have as many processors again as there are slots
// (GOMAXPROCS): when all are searching it looks at the network only every 10 ms.
package service
