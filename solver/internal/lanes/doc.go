// Package lanes searches many puzzles in lockstep, one in each lane of the vector
// registers: 32 with AVX-512, 16 with AVX2. Start with [Set.Solve].
//
// # Representation
//
// A lane has 81 words, one for each cell, with a bit for each candidate. Vector i
// has the words of cell i of all lanes, so that rows, columns, boxes and the lines of
// three cells inside a box are choices of vectors, without shifts or shuffles.
//
// # The sweep
//
// A sweep is one round of deduction, the same instructions for all lanes:
//
//  1. Take the singles, cells with one candidate left, from their peers.
//  2. In each band, a digit is in three mini-rows no two of which share a row or box. There
//     are six ways; keep what is on one that is still possible. This is all that
//     pointing and claiming can find. A mini-row that is the only one of its row, and
//     has one cell for the digit, has a hidden single.
//  3. The same with mini-columns in each stack. The singles found in a stack are taken from
//     their rows in the next one, and those found in a box from their columns below it.
//
// It ends with the singles and the houses they are in brought up to date, so that it
// sees at once which lanes are solved (27 houses with nine different singles, so
// never a puzzle whose clues break the rules), which are bad (a cell without candidates or
// a digit without a place) and which are calm, without new singles. Those need a guess.
// spec_test.go says it all again in plain Go for one lane; gen has the generator of the
// assembly.
//
// # The search
//
// A guess splits the search space of a lane, a node, in two. One stays in the lane; the
// other goes to a stack that all lanes share, in which a node is a column of words.
// One permutation of each of the 81 vectors takes any number of lanes to consecutive
// columns, or fetches any of the topmost columns to lanes. A new puzzle gets to its lane
// in the same way, and a solution out of it; both are transposed 16 or 32 at once. A
// puzzle, a job, may so be in many lanes at a time, and the last of a batch are.
//
// The guess is a cell with two candidates, if there is one: that with the most open cells
// in its houses.
//
// A puzzle with a second solution starts again, in order: first open cell, smallest digit.
// There the lane goes back to the start of its trail and follows it, the guesses so far. The
// start is the puzzle with all that has been found without a guess. Puzzles with fewer than 17
// clues begin like that. What takes too many guesses is left open, for an
// engine that can do better alone.
//
// # What was tried
//
// On one core of a Zen 4 (AVX-512 in two halves), batches of 8192. Sweeps are those a
// puzzle takes of one lane.
//
//   - Keeping the houses up to date at the end of a sweep, instead of finding the singles
//     at the beginning of the next, saves a solved lane its last sweep.
//   - A stack of nodes for all lanes, by permutation, instead of a slot of 81 vectors for each
//     guess and a masked copy from each slot: a guess costs 80 ns and a return 125 ns,
//     for however many lanes.
//   - VPERMW with an index made once instead of VPEXPANDW and VPCOMPRESSW: one
//     instruction instead of two, and no VBMI2.
//   - Transposing with shuffles instead of word by word: easy puzzles from 3.2 to 7.4
//     million a second.
//   - Guessing and refilling when half of the lanes wait, not at once: 15 to 25 %.
//   - A lane that stays with its puzzle, instead of taking the topmost node: sweeps
//     on puzzles with several solutions from 127 to 76, as few are searched in vain.
//   - Weights of the peers in the choice of the guess, by number of candidates. Sweeps on
//     the hardest puzzles: none 858, two candidates only 682, two and three as 2:1 697, all open
//     cells 640, 2 for two candidates and 1 for others 626, the present ones 569. On
//     those without solution: 105, 83, 88, 71, 71, 65.
//   - Finding singles and hidden singles with saturating subtraction and minimum instead
//     of comparisons into mask registers: 5 % of the sweep, and the same code for AVX2.
//   - Guessing after a sweep without new singles, instead of one that changes nothing:
//     6 % fewer sweeps, no more guesses, and 81 additions less a sweep. Hard puzzles 5 %
//     faster with AVX-512, 8 % with AVX2.
//   - Interleaving three cells in the sweep: 4 %.
//   - Taking singles from rows and columns while the stacks are still being looked at: 10 to
//     14 % fewer sweeps, each 4 % longer. With boxes as well it is 3 % fewer still, but
//     each is 10 % longer: every mini-row has to wait for the one before.
//   - Bands that update the candidates in place, instead of in an array of their own: a
//     sweep with AVX-512 takes 15 % less.
//   - Which digits have two places in a row, instead of which have one, line by line: a sweep with
//     AVX-512 takes 5 % less.
//   - Loops over bands and stacks instead of three times the code: all kernels fit the cache
//     of decoded instructions. Two sweeps, a pick, a push and a resume with AVX2: from 907 to
//     662 ns. By itself each kernel takes as long as before.
//   - Cell numbers added once to the houses instead of to each key, and scores in their place
//     in the key from VPERMW: a pick from 162 to 127 ns.
//   - Higher stacks: rows that are further apart need more pages than the TLB has entries;
//     4 KB apart a sweep took 10 % longer and a return 15 %.
//   - Trails that start at what is known without a guess, instead of at the puzzle: 4 % fewer
//     sweeps with several solutions, 8 % less time with few clues.
//   - The search in order with nodes on the stack: lanes starve as only the topmost
//     node of such a puzzle may be taken. Trails do not need the stack.
//
// These gave nothing:
//
//   - Ten per cent fewer operations in the sweep, by ternary logic in houses and lines: with
//     three registers a VPTERNLOGD of 512 bits takes a whole cycle, and a VPORD half of
//     one, so that it saves nothing where it stands for two.
//   - Guessing and refilling when a quarter of the lanes wait, 8 to 17 % slower, three eighths, 0 to
//     10 % slower, or five eighths, 4 % slower with AVX-512 and 1 % faster with AVX2.
//   - Other distances between the arrays of the state.
//   - Putting first the digit that is a candidate of more peers: with several solutions 4 % fewer
//     sweeps, for a look at 20 cells a guess.
//   - Other weights in the choice of the guess, by hill climbing on a third of the puzzles: 1 %
//     better on those, and no better on the others, also with a weight for boxes.
//   - Going by the number of guesses above a node, or of candidates and clues, to begin in
//     order: puzzles with one solution that are hard to find look the same.
//   - More guesses in order, 200 or 400 instead of 100: the last lanes of a batch
//     run alone.
//   - Taking the nodes that are gone off the top of the stack once a refill, not each time; a
//     stack half as high.
//   - Copying a lane that guesses to an idle one, past the stack: it saves a push, but
//     setting single words takes as long.
//   - In the smallest solution's search: going on from the nodes left, with the best
//     solution as a bound, in several lanes (sweeps from 106 to 231); guessing
//     two cells at once (a tenth slower); taking the last node back from the stack instead of
//     following the trail; beginning in order when more than 280 candidates are left, which
//     slows puzzles with one solution.
package lanes
