// Package wire is the protocol between those who have puzzles and those who
// solve them, version 1. This comment is its specification; the codec below is
// one implementation, and testdata/vectors.jsonl has examples for others.
//
// # Subjects
//
//	sudoku.v1.solve    the smallest solution of each puzzle and its verdict
//	sudoku.v1.count    how many solutions each puzzle has
//	sudoku.v1.all      the solutions of one puzzle
//
// Workers subscribe to all three in the queue group sudoku-workers. A requester
// publishes with a reply subject and reads what arrives there.
//
// # Request
//
// The body has 1 to 4096 puzzles, one a line; all takes one. A line is the 81
// cells of a grid in row-major order: 1 to 9, and . or 0 for an empty cell. It
// ends with LF or CRLF; the last line may end with the body. The body is at most
// 524288 bytes. A line that is not a grid is answered as invalid in its place;
// it does not disturb the others. Headers, all optional:
//
//	Sudoku-Limit         count: stop at this many solutions, 1 to 1000000000 (default 1000000)
//	                     all: send this many solutions at most, 1 to 1000000 (default 1000)
//	Sudoku-Timeout-Ms    how long the requester will still wait, in milliseconds, 1 to 86400000.
//	                     The worker drops a request that is already too late when its turn
//	                     comes, and stops searching when the time is over
//	traceparent          W3C trace context
//
// Unknown headers are ignored. A worker has a time limit of its own for each
// puzzle, which a request cannot raise.
//
// # Replies of solve and count
//
// One message, one line a puzzle in the order of the request, each ended by LF.
// A line of solve is one of
//
//	<81 digits> unique      the only solution
//	<81 digits> multiple    the lexicographically smallest of several solutions
//	none                    there is no solution
//	invalid <reason>        the line is not a grid, or a digit repeats in a row, column or box
//	timeout                 the time was over first: nothing is known
//
// A line of count is one of
//
//	<n>                 exactly n solutions
//	>=<n>               n, which is the limit, or more
//	invalid <reason>
//	timeout
//
// # Replies of all
//
// Any number of messages with solutions, one a line of 81 digits ended by LF, in
// lexicographic order over all messages; then one message with an empty body,
// the end. Each has the header Sudoku-Count, the number of solutions sent so far,
// its own among them, so that a requester sees at once if a message was lost. The
// end has Sudoku-Limit as well, the limit, if that is what ended the sequence and
// there may be more. A puzzle without solutions has the end alone. An end that
// carries a failure (below) says that the sequence is not complete.
//
// # Failures
//
// A request that fails as a whole is answered with the headers of the NATS
// service protocol:
//
//	Nats-Service-Error         a text for people
//	Nats-Service-Error-Code    400  not a request: empty, too many lines, a bad header,
//	                                or every puzzle is invalid
//	                           413  the request, or the reply to it, is too large
//	                           500  the worker failed
//	                           503  busy; Sudoku-Retry-After-Ms says how long to wait
//	                           504  every puzzle timed out, or the request came too late
//	Sudoku-Retry-After-Ms      with 503: milliseconds to wait before the next try
//
// Where the body is empty there is no answer to any puzzle. Where it has lines
// (400 when every puzzle is invalid, 504 when every puzzle timed out) they are
// the answers, as without the headers. Where no worker is subscribed, NATS itself
// answers with an empty body and the header Status: 503; that is no answer.
//
// Solving is idempotent: a requester may repeat a request, and takes the first
// answer to it.
//
// # Discovery
//
// Workers answer $SRV.PING, $SRV.INFO and $SRV.STATS as the NATS service
// specification (ADR-32) has it, under the name sudoku.
//
// # Changes
//
// What is compatible (a new header, a new subject) is added to v1. Anything else
// gets subjects of its own under sudoku.v2.
package wire
