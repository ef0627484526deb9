// Package wire is the protocol between those who have puzzles and those who
// solve them, version 1. This comment is its specification; the codec below is
// one implementation, and testdata has examples for others: vectors.jsonl of
// requests, and packed.jsonl of packed lines in durable jobs, in hexadecimal.
// Puzzles somebody waits for are requests; millions of puzzles to come back for
// are durable jobs.
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
//	traceparent          W3C trace context, https://www.w3.org/TR/trace-context/: the span
//	tracestate           that the request belongs to
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
// # Durable jobs
//
// A job is any number of puzzles that outlive those who sent them. It is stored
// in JetStream, in three streams:
//
//	SUDOKU_JOBS       sudoku.v1.jobs.>      what is to be done; a work queue, which refuses messages when it is full
//	SUDOKU_RESULTS    sudoku.v1.results.>   what was found; kept for a time
//	SUDOKU_DEAD       sudoku.v1.dead.>      chunks that could not be solved; kept until somebody looks
//
// The workers share the durable pull consumer "workers" of SUDOKU_JOBS, which
// has explicit acknowledgement. A job has an id of 1 to 64 letters, digits, - and
// _, which its submitter makes up. These are its subjects:
//
//	sudoku.v1.jobs.<job>                      a chunk
//	sudoku.v1.jobs.<job>.manifest             the job is complete
//	sudoku.v1.results.<job>                   the answers to a chunk
//	sudoku.v1.results.<job>.failed.<chunk>    a chunk without answers
//	sudoku.v1.results.<job>.manifest          the manifest, once a worker has seen it
//	sudoku.v1.results.<job>.cancelled         the job was given up; nothing more will come
//	sudoku.v1.dead.<job>                      a chunk that a worker gave up, with its payload
//
// A chunk has the body of a request of solve, with the same limits. What follows
// a tab in a line is a note: it is not looked at, and comes back with the answer.
// Headers, all optional:
//
//	Sudoku-Chunk    <number> <first>: the number of the chunk in its job, 0 to 134217727,
//	                and that of its first puzzle, from 0. The chunks of a job are
//	                numbered without gaps, all of them or none. A third word, packed,
//	                says that lines may be packed (below)
//	Nats-Msg-Id     of a numbered chunk: <job>/<number>. SUDOKU_JOBS drops what it has seen
//	                under the same id in the last minutes
//	traceparent     as in a request, with tracestate; a result and a dead letter have
//	                them where their chunk does
//
// So lines published to the subject are enough. The order of the chunks of a job
// is that of their numbers, or, where they have none, of their sequence in
// SUDOKU_JOBS. A submitter waits for the acknowledgement of JetStream and
// publishes again what was not stored. When all chunks are stored it publishes
// the manifest, a JSON object, with the Nats-Msg-Id <job>/manifest:
//
//	{"chunks":3907,"puzzles":1000000}
//
// A job without a manifest may still grow.
//
// A result has one line for each of the chunk, in the same order: the line of a
// solve reply, a tab, and the line of the chunk unchanged, its note included.
// Its headers:
//
//	Sudoku-Chunk       as in the chunk, where it has one
//	Sudoku-Sequence    where it has none: its sequence in SUDOKU_JOBS
//	Sudoku-Puzzles     number of lines
//
// Most of what a job costs is to store its bytes. So a line of a chunk may be packed:
// it has 41 bytes in place of the 81 characters, in hexadecimal 8 and the 81 digits,
// 0 for an empty cell. No text begins with such a byte, and none of them is a line
// feed. The answer to a packed line that has a solution is a line of
//
//	41 bytes    in hexadecimal 8, where the solution is the only one, or 9, where it is
//	            the smallest of several; and its 81 digits
//	12 bytes    which cells are clues: bit i%7 of byte i/7 for cell i, both from 0. The
//	            highest bit of each byte is 1
//	note        with its tab, where the line has one
//
// Other answers to it are as those to any line, which they have unchanged behind the
// tab. A chunk with such lines has a number and says packed, so that no worker takes
// them for invalid who does not know of them; its result says so too.
//
// Delivery is at least once, so a result may come twice; the first one counts.
// Puzzles that are invalid, without a solution or timed out are answers.
//
// A chunk that is no request (empty, too many lines, too large, a bad header), or
// that makes the workers fail each time it is delivered, is stored in
// SUDOKU_DEAD. Its message has the body and headers of the chunk,
// Nats-Service-Error and its code, which say why, and
//
//	Sudoku-Subject       its subject
//	Sudoku-Sequence      its sequence in SUDOKU_JOBS
//	Sudoku-Puzzles       number of lines
//	Sudoku-Deliveries    how often it was delivered
//
// and the same message, stored as failed among the results, stands in the place
// of its answers; <chunk> is its number, or s and its sequence. To try it again,
// that message is purged and the chunk published once more, with the
// Sudoku-Sequence it had if it has no number, and the Nats-Msg-Id
// <job>/<chunk>/retry/<sequence in SUDOKU_DEAD>.
//
// To cancel a job, its subjects in SUDOKU_JOBS are purged and an empty message is
// published as cancelled.
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
