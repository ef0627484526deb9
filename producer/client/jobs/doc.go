// Package jobs leaves puzzles to the workers and comes back for the answers: for
// files of millions, and for programs that do not want to wait. Puzzles and
// answers are stored in JetStream, so that they outlive the submitter, the
// workers, the reader and the server. Package [sudoku/solver/wire] has the
// protocol; package [sudoku/producer/client] is for those who wait.
//
// Start with [New], [Client.Submit] and [Client.Results].
//
//	c, err := jobs.New(nc, jobs.Options{})
//	…
//	id := jobs.NewID()
//	_, err = c.Submit(ctx, id, puzzles)
//	…
//	for a, err := range c.Results(ctx, id, jobs.Reading{Follow: true}) {
//		…
//	}
//
// [Client.Setup] makes the streams with settings other than the default ones,
// which the first Submit would use. [Client.Status], [Client.Jobs] and
// [Client.Cancel] look after jobs, [Client.Dead] and its neighbours after chunks
// that could not be solved.
package jobs
