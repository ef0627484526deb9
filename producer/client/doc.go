// Package client solves puzzles by asking the workers on NATS, as package
// [sudoku/solver] does by searching: the same verbs, the same answers, the same
// errors.
//
// Start with [New] and [Client.Solve]; [Client.SolveAll] is for many puzzles, and
// packs them into few messages.
//
//	nc, err := nats.Connect(url)
//	…
//	c, err := client.New(nc, client.Options{})
//	…
//	defer c.Close()
//	r, err := c.Solve(ctx, puzzle)
//	fmt.Println(r.Solution, r.Status)
//
// # What is retried
//
// Solving is idempotent, so a request whose answer does not come is sent again:
// when the workers are busy, when no reply comes in time, when a reply makes no
// sense, and when the connection to NATS was away. The first answer counts; late
// and double ones are ignored. No workers at all is an error at once until the
// first answer has come, and retried from then on.
//
// A request that is too large, or that makes a worker fail, is divided, so that
// one bad puzzle costs its neighbours nothing.
//
// # Tracing
//
// Where the ctx of a call has an OpenTelemetry span, each request is a child of it,
// from the same provider, and the workers are told. Without one nothing is traced.
//
// # What is believed
//
// Every answer is checked before it is believed: there are as many as puzzles,
// and a solution solves the puzzle it answers.
package client
