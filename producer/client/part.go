package client

import (
	"fmt"
	"iter"
	"sync/atomic"

	"github.com/nats-io/nats.go"

	"sudoku/solver"
	"sudoku/solver/wire"
)

// An operation is what there is to ask about many puzzles, and T an answer.
type operation[T any] struct {
	subject string
	limit   int // solutions, for count
	parse   func(body []byte) iter.Seq2[T, error]
	status  func(T) solver.Status
	fits    func(answer T, puzzle solver.Grid) bool  // whether answer can be one to puzzle
	err     func(answer T, puzzle solver.Grid) error // why answer has not what was asked for; nil if it has
}

var solving = &operation[solver.Result]{
	subject: wire.SubjectSolve,
	parse:   wire.ParseResults,
	status:  func(r solver.Result) solver.Status { return r.Status },
	fits: func(r solver.Result, puzzle solver.Grid) bool {
		return r.Status != solver.Unique && r.Status != solver.Multiple || r.Solution.Solves(puzzle)
	},
	err: solver.Result.Err,
}

func counting(limit int) *operation[wire.Count] {
	return &operation[wire.Count]{
		subject: wire.SubjectCount,
		limit:   limit,
		parse:   wire.ParseCounts,
		status:  func(n wire.Count) solver.Status { return n.Status },
		fits: func(n wire.Count, _ solver.Grid) bool {
			return n.Exact && n.N < limit || !n.Exact && n.N == limit || n.Status == solver.Invalid || n.Status == solver.Timeout
		},
		err: func(n wire.Count, puzzle solver.Grid) error {
			if n.Status == solver.None {
				return nil
			}
			return solver.Result{Status: n.Status}.Err(puzzle)
		},
	}
}

// A part is a task: puzzles asked in one message, and the places for their
// answers.
type part[T any] struct {
	op      *operation[T]
	asked   []solver.Grid
	answers []answer[T] // as many
	settled func()      // called once, when the answers are there
}

// An answer is one or the error of the request that should have brought it.
type answer[T any] struct {
	value T
	err   error
}

func (p *part[T]) subject() string        { return p.op.subject }
func (p *part[T]) puzzles() []solver.Grid { return p.asked }
func (p *part[T]) limit() int             { return p.op.limit }

func (p *part[T]) read(m *nats.Msg, _ uint64) (more bool, err error) {
	n := 0
	for value, err := range p.op.parse(m.Data) {
		switch {
		case err != nil:
			return false, err
		case n == len(p.asked):
			return false, fmt.Errorf("more answers than the %d puzzles asked", n)
		case !p.fits(value, p.asked[n]):
			return false, fmt.Errorf("reply line %d does not answer %s", n+1, p.asked[n])
		}
		p.answers[n].value = value
		n++
	}
	if n < len(p.asked) {
		return false, fmt.Errorf("%d answers to %d puzzles", n, len(p.asked))
	}
	return false, nil
}

func (p *part[T]) fits(answer T, puzzle solver.Grid) bool {
	if p.op.status(answer) == solver.Invalid {
		return puzzle.Check() != nil
	}
	return p.op.fits(answer, puzzle)
}

// settle with an error also takes back the answers of a reply that was not
// believed.
func (p *part[T]) settle(err error) {
	if err != nil {
		for i := range p.answers {
			p.answers[i] = answer[T]{err: err}
		}
	}
	p.settled()
}

// get returns the answer to puzzle i, and why it is none or not the one wished
// for.
func (p *part[T]) get(i int) (T, error) {
	a := &p.answers[i]
	if a.err != nil {
		return a.value, a.err
	}
	return a.value, p.op.err(a.value, p.asked[i])
}

// halves settle p when both are settled.
func (p *part[T]) halves() []task {
	n := len(p.asked)
	if n < 2 {
		return nil
	}
	left := new(atomic.Int64)
	left.Store(2)
	settled := func() {
		if left.Add(-1) == 0 {
			p.settled()
		}
	}
	return []task{p.slice(0, n/2, settled), p.slice(n/2, n, settled)}
}

func (p *part[T]) slice(i, j int, settled func()) *part[T] {
	return &part[T]{op: p.op, asked: p.asked[i:j], answers: p.answers[i:j], settled: settled}
}
