package lanes

import (
	"bytes"
	"context"
	"math/bits"
	"time"

	"sudoku/solver/internal/work"
)

// maxGuesses is how many guesses a puzzle may take before it is left open.
const maxGuesses = 400

// maxOrdered is how many of them a puzzle may take in the search for its smallest
// solution.
const maxOrdered = 100

// A job is a puzzle being searched. Its nodes, the parts of its search space that
// are not searched yet, are in lanes and on the stack.
type job struct {
	puzzle  int32  // index in the batch
	lanes   uint32 // that have a node of it
	last    int16  // column of its highest node on the stack, or none
	guesses uint16
	found   uint8 // number of solutions
	inOrder bool  // searched for its smallest solution, in one lane and without the stack
	several bool  // known to have more than one
}

// A link says whose the node in a column of the stack is.
type link struct {
	job   jobID // noJob where the node is gone
	below int16 // column of the next node of the job, or none
}

type jobID = uint16

const (
	none  = -1
	noJob = 1<<16 - 1
)

// maxJobs is enough because every job has a node.
const maxJobs = height + 2*maxWidth

// search is the state with what the kernels need not know.
type search struct {
	state
	kernels *kernels
	dst     []Result
	src     [][81]uint8
	fed     int    // puzzles before it have been fed
	waiting int    // number of the last of those that are not in a lane yet
	cap     uint16 // maxGuesses, less in tests

	jobs    [maxJobs]job
	made    int                 // jobs from there on have never been used
	free    []jobID             // jobs not in use any more
	busy    uint32              // lanes that have a node
	job     [maxWidth]jobID     // of each lane, also when it has no node any more
	done    uint32              // lanes that have had one and hold its solution
	puzzle  [maxWidth]int32     // of those
	trails  [maxWidth]trail     // of jobs in order
	back    uint32              // lanes to set by their trail
	touched bool                // some lane's candidates have changed since the houses were brought up to date
	top     int                 // height of the stack
	links   [height]link        // of the nodes on it
	outs    int                 // number of finished grids
	out     [2 * maxWidth]int32 // their puzzles
	guesses uint64              // in the batch
	shards  [2]*work.Shard      // of Work
}

// begin prepares a batch. It resets little: what is left of the batch before is harmless.
func (s *search) begin(k *kernels, dst []Result, src [][81]uint8) {
	s.kernels, s.dst, s.src = k, dst[:len(src)], src
	s.fed, s.waiting, s.made, s.busy, s.done, s.back, s.top, s.outs = 0, 0, 0, 0, 0, 0, 0, 0
	s.cap = maxGuesses
	s.guesses = 0
	s.free = s.free[:0]
	s.jobs[0].last = none
	clear(s.job[:])
}

// end writes the solutions that are still in lanes or in finished.
func (s *search) end() {
	s.emit()
	for s.outs > 0 {
		s.flush()
	}
	s.dst, s.src = nil, nil
}

// run searches until nothing is left or ctx is done.
func (s *search) run(ctx context.Context) {
	s.refill()
	for n := 1; s.busy != 0; n++ {
		if n%interval == 0 && ended(ctx) {
			s.giveUp()
			return
		}
		s.kernels.sweep(&s.state)
		s.retire()
		if s.due() {
			s.branch()
			s.refill()
		}
	}
}

// ended reports whether ctx is done, or will be when its timer notices, which may take
// a busy machine long.
func ended(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ctx.Err() != nil || ok && !time.Now().Before(deadline)
}

// interval is how many sweeps are made between two looks at the context. With the
// guesses a sweep takes about a microsecond.
const interval = 256

// due reports whether to guess and refill, which cost about as much as a sweep
// each however many lanes need it: when it is half of them, or all that are left.
func (s *search) due() bool {
	running := s.running()
	stuck := running & s.calm
	if running == stuck {
		return true
	}
	waiting := bits.OnesCount32(stuck | s.back)
	if s.top > 0 || s.waiting > 0 || s.fed < len(s.src) {
		waiting += bits.OnesCount32(s.idle())
	}
	return waiting >= s.kernels.width/2
}

// giveUp leaves open what has no verdict.
func (s *search) giveUp() {
	for m := s.busy; m != 0; m &= m - 1 {
		s.leave(s.job[bits.TrailingZeros32(m)])
	}
	for _, l := range s.links[:s.top] {
		if l.job != noJob {
			s.leave(l.job)
		}
	}
	for i := s.fed - s.waiting; i < len(s.src); i++ {
		s.dst[i].Verdict = Open
	}
}

func (s *search) leave(id jobID) { s.dst[s.jobs[id].puzzle].Verdict = Open }

// retire takes the nodes that are finished out of their lanes.
func (s *search) retire() {
	for m := s.running() & s.state.solved; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		if s.busy>>l&1 == 0 {
			continue
		}
		s.solution(l)
	}
	for m := s.running() & s.bad &^ s.solved; m != 0; m &= m - 1 {
		s.fail(bits.TrailingZeros32(m))
	}
}

// solution counts the solution in lane l, and keeps the first.
func (s *search) solution(l int) {
	id := s.job[l]
	j := &s.jobs[id]
	j.found++
	switch {
	case j.inOrder && j.several:
		s.keep(l)
		s.close(id, Many)
	case j.found == 1:
		s.keep(l)
		s.fail(l)
	case j.inOrder:
		s.close(id, Many)
	default:
		s.reorder(id, l)
	}
}

// keep marks the solution in lane l for emit.
func (s *search) keep(l int) {
	s.done |= 1 << l
	s.puzzle[l] = s.jobs[s.job[l]].puzzle
}

// fail ends the node in lane l.
func (s *search) fail(l int) {
	if s.jobs[s.job[l]].inOrder && s.trails[l].turn() {
		s.back |= 1 << l
		return
	}
	s.drop(l)
}

// reorder searches a job with several solutions again from the start, now in lane l for
// its smallest one.
func (s *search) reorder(id jobID, l int) {
	j := &s.jobs[id]
	s.clear(j)
	*j = job{puzzle: j.puzzle, last: none, inOrder: true, several: true}
	s.occupy(l, id)
	t := &s.trails[l]
	for i, d := range s.src[j.puzzle] {
		t.start[i] = candidates[min(d, 10)]
	}
	t.n = 0
	s.back |= 1 << l
}

// follow sets lane l to where its trail leads. A kernel must bring the houses up to date.
func (s *search) follow(l int) {
	w := s.kernels.width
	t := &s.trails[l]
	for i, x := range t.start {
		s.x[w*i+l] = x
	}
	for _, step := range t.steps[:t.n] {
		s.x[w*int(step.cell)+l] &= step.keep
	}
}

// settle has the trail of lane l start where the lane is.
func (s *search) settle(l int) {
	w := s.kernels.width
	t := &s.trails[l]
	for i := range t.start {
		t.start[i] = s.x[w*i+l]
	}
	t.n = 0
}

// candidates of a cell by its digit; a number above 9 has none.
var candidates = [11]uint16{0x1ff, 1, 2, 4, 8, 16, 32, 64, 128, 256, 0}

// running returns the lanes with a node that is being searched.
func (s *search) running() uint32 { return s.busy &^ s.back }

// drop takes the node out of lane l, and ends its job if it was the last.
func (s *search) drop(l int) {
	id := s.job[l]
	j := &s.jobs[id]
	s.busy &^= 1 << l
	s.back &^= 1 << l
	if j.lanes &^= 1 << l; j.lanes == 0 && j.last == none {
		s.dst[j.puzzle].Verdict = [...]Verdict{None, One}[j.found]
		s.free = append(s.free, id)
	}
}

// close ends a job with the nodes it has left.
func (s *search) close(id jobID, v Verdict) {
	j := &s.jobs[id]
	s.clear(j)
	s.dst[j.puzzle].Verdict = v
	s.free = append(s.free, id)
}

// clear drops the nodes of a job.
func (s *search) clear(j *job) {
	s.busy &^= j.lanes
	s.back &^= j.lanes
	j.lanes = 0
	for j.last != none {
		s.take(j.last)
	}
}

// take takes a node, the highest of its job, off the stack.
func (s *search) take(column int16) (id jobID) {
	id = s.links[column].job
	s.jobs[id].last = s.links[column].below
	s.links[column].job = noJob
	for s.top > 0 && s.links[s.top-1].job == noJob {
		s.top--
	}
	return id
}

// emit takes the solutions out of the lanes that have one.
func (s *search) emit() {
	if s.done == 0 {
		return
	}
	s.gather(s.done)
	s.kernels.emit(&s.state, s.outs)
	for m := s.done; m != 0; m &= m - 1 {
		s.out[s.outs] = s.puzzle[bits.TrailingZeros32(m)]
		s.outs++
	}
	s.done = 0
	if s.outs >= s.kernels.width {
		s.flush()
	}
}

// flush writes the grids kept to their results, 32 at most.
func (s *search) flush() {
	s.kernels.flush(&s.state)
	n := min(s.outs, s.kernels.width)
	for c, puzzle := range s.out[:n] {
		s.dst[puzzle].Solution = s.digits[c]
	}
	copy(s.out[:], s.out[n:s.outs])
	s.outs -= n
}

// branch guesses in the lanes where a sweep has found nothing new.
func (s *search) branch() {
	calm := s.running() & s.calm
	if calm == 0 {
		return
	}
	s.kernels.pick(&s.state)
	var split uint32 // lanes whose node goes to the stack as well
	for m := calm; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		switch {
		case s.busy>>l&1 == 0 || !s.allow(l):
		case s.jobs[s.job[l]].inOrder:
			s.step(l)
		default:
			split |= 1 << l
		}
	}
	if split &= s.busy; split == 0 {
		return
	}
	s.gather(split)
	s.kernels.push(&s.state, s.top)
	for m := split; m != 0; m &= m - 1 {
		s.split(bits.TrailingZeros32(m))
	}
}

// allow reports whether to guess in lane l; if not it has ended the node or the job.
func (s *search) allow(l int) bool {
	id := s.job[l]
	j := &s.jobs[id]
	switch {
	case s.key[l] < open:
		s.fail(l)
	case j.inOrder && j.guesses == maxOrdered || j.guesses == s.cap || s.top > height-2*maxWidth:
		s.close(id, Open)
	default:
		if j.guesses == 0 && !j.inOrder && s.fewClues(j) {
			j.inOrder = true
			s.trails[l].n = 0
		}
		j.guesses++
		return true
	}
	return false
}

// fewClues reports whether a puzzle has so few clues that it cannot have a single
// solution: fewer than 17, as McGuire, Tugemann and Civario have shown ("There is
// no 16-clue Sudoku", Experimental Mathematics 23, 2014).
func (s *search) fewClues(j *job) bool {
	return bytes.Count(s.src[j.puzzle][:], []byte{0}) > 81-17
}

// open is the least key of a cell with two candidates or more.
const open = 128 << 7

// split splits the node in lane l, of which the top of the stack is a copy, between
// the two.
func (s *search) split(l int) {
	i := int(s.key[l] & 127)
	digit := s.guess(l, i)
	s.nodes[i][s.top] &^= digit
	j := &s.jobs[s.job[l]]
	s.links[s.top] = link{s.job[l], j.last}
	j.last = int16(s.top)
	s.top++
}

// step guesses the first open cell of lane l.
func (s *search) step(l int) {
	if !s.trails[l].guessed() {
		s.settle(l)
	}
	i := 0
	for s.singles[s.kernels.width*i+l] != 0 {
		i++
	}
	s.trails[l].add(i, s.guess(l, i))
}

// guess sets cell i in lane l to its smallest digit.
func (s *search) guess(l, i int) (digit uint16) {
	x := &s.x[i*s.kernels.width+l]
	digit = *x & -*x
	*x = digit
	s.touched = true
	s.guesses++
	return digit
}

// refill gives nodes to the lanes that have none. A lane stays with its puzzle if
// that has a node near the top of the stack; else it takes a fresh puzzle; else any
// node. To search few puzzles at a time, each in depth, wastes least on those with
// several solutions, and keeps the stack low.
func (s *search) refill() {
	s.emit()
	if s.waiting < s.kernels.width && s.fed < len(s.src) {
		s.fetch()
	}
	base, first := max(0, s.top-s.kernels.width), s.fed-s.waiting
	s.in.lanes, s.next.lanes = 0, 0
	for m := s.idle(); m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		last := int(s.jobs[s.job[l]].last)
		switch {
		case last >= base:
			s.resume(l, last, base)
		case s.top < height/4 && s.waiting > 0:
			s.start(l, first)
		case s.top > base:
			s.resume(l, s.top-1, base)
		}
	}
	back := s.back
	for s.back = 0; back != 0; back &= back - 1 {
		s.follow(bits.TrailingZeros32(back))
		s.touched = true
	}
	first %= 2 * s.kernels.width
	switch {
	case s.in.lanes|s.next.lanes == 0 && !s.touched:
	case s.in.lanes == 0:
		s.kernels.start(&s.state, first)
	case s.next.lanes == 0:
		s.kernels.resume(&s.state, base)
	default:
		s.kernels.pop(&s.state, base, first)
	}
	s.touched = false
}

// idle returns the lanes without a node.
func (s *search) idle() uint32 { return ^s.busy & (1<<s.kernels.width - 1) }

// resume has lane l take the node in a column of the stack.
func (s *search) resume(l, column, base int) {
	s.in.index[l] = uint16(column - base)
	s.in.lanes |= 1 << l
	s.occupy(l, s.take(int16(column)))
}

func (s *search) occupy(l int, id jobID) {
	s.job[l] = id
	s.jobs[id].lanes |= 1 << l
	s.busy |= 1 << l
}

// start has lane l take the next fresh puzzle.
func (s *search) start(l, first int) {
	puzzle := s.fed - s.waiting
	s.waiting--
	s.next.index[l] = uint16(puzzle - first)
	s.next.lanes |= 1 << l
	id := jobID(s.made)
	if n := len(s.free); n > 0 {
		id = s.free[n-1]
		s.free = s.free[:n-1]
	} else {
		s.made++
	}
	s.jobs[id] = job{puzzle: int32(puzzle), last: none}
	s.occupy(l, id)
}

// fetch has the next puzzles transposed, as many as there are lanes.
func (s *search) fetch() {
	w := s.kernels.width
	n := min(w, len(s.src)-s.fed)
	puzzles := s.src[s.fed:][:n]
	if n < w {
		copy(s.digits[:], puzzles)
		puzzles = s.digits[:]
	}
	s.kernels.feed(&s.state, &puzzles[0], s.fed%(2*w))
	s.waiting += n
	s.fed += n
}

// gather sets the argument of push to some lanes.
func (s *search) gather(lanes uint32) {
	for c := 0; lanes != 0; lanes &= lanes - 1 {
		s.state.out.index[c] = uint16(bits.TrailingZeros32(lanes))
		c++
	}
}
