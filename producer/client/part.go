package client

import (
	"fmt"
	"sync/atomic"

	"github.com/nats-io/nats.go"

	"sudoku/solver"
	"sudoku/solver/wire"
)

// An operation is what there is to ask about many puzzles, and T an answer.
type operation[T any] struct {
	subject string
	limit   int                                        // solutions, for count
	parse   func(dst []T, body []byte) ([]T, error)    // appends the answers of body
	fits    func(answer *T, puzzle *solver.Grid) bool  // whether answer can be one to puzzle
	err     func(answer *T, puzzle *solver.Grid) error // why answer has not what was asked for; nil if it has
}

var solving = &operation[solver.Result]{
	subject: wire.SubjectSolve,
	parse:   wire.ParseResults,
	fits: func(r *solver.Result, puzzle *solver.Grid) bool {
		switch r.Status {
		case solver.Unique, solver.Multiple:
			return r.Solution.Keeps(puzzle)
		case solver.Invalid:
			return puzzle.Check() != nil
		}
		return true
	},
	err: func(r *solver.Result, puzzle *solver.Grid) error {
		if r.Status == solver.Unique {
			return nil // without copies
		}
		return r.Err(*puzzle)
	},
}

func counting(limit int) *operation[wire.Count] {
	return &operation[wire.Count]{
		subject: wire.SubjectCount,
		limit:   limit,
		parse:   wire.ParseCounts,
		fits: func(n *wire.Count, puzzle *solver.Grid) bool {
			switch n.Status {
			case solver.Timeout:
				return true
			case solver.Invalid:
				return puzzle.Check() != nil
			}
			return n.Exact && n.N < limit || !n.Exact && n.N == limit
		},
		err: func(n *wire.Count, puzzle *solver.Grid) error {
			if n.Status == solver.None {
				return nil
			}
			return solver.Result{Status: n.Status}.Err(*puzzle)
		},
	}
}

// A part is a task: puzzles asked in one message, and the places for their
// answers. All three slices have one length.
type part[T any] struct {
	op      *operation[T]
	asked   []solver.Grid
	answers []T
	errs    []error // why a request failed; nil where it has an answer
	settled func()  // called once, when answers and errs are there
}

func (p *part[T]) subject() string        { return p.op.subject }
func (p *part[T]) puzzles() []solver.Grid { return p.asked }
func (p *part[T]) limit() int             { return p.op.limit }

func (p *part[T]) read(m *nats.Msg, _ uint64) (more bool, err error) {
	n := len(p.asked)
	answers, err := p.op.parse(p.answers[:0:n], m.Data) // stays where it is unless there are too many
	if err != nil {
		return false, err
	}
	if len(answers) != n {
		return false, fmt.Errorf("%d answers to %d puzzles", len(answers), n)
	}
	for i := range answers {
		if !p.op.fits(&answers[i], &p.asked[i]) {
			return false, fmt.Errorf("reply line %d does not answer %s", i+1, p.asked[i])
		}
	}
	return false, nil
}

// settle with an error also takes back the answers of a reply that was not
// believed.
func (p *part[T]) settle(err error) {
	if err != nil {
		clear(p.answers)
		for i := range p.errs {
			p.errs[i] = err
		}
	}
	p.settled()
}

// err is why puzzle i has no answer, or not the one wished for.
func (p *part[T]) err(i int) error {
	if p.errs[i] != nil {
		return p.errs[i]
	}
	return p.op.err(&p.answers[i], &p.asked[i])
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
	return &part[T]{op: p.op, asked: p.asked[i:j], answers: p.answers[i:j], errs: p.errs[i:j], settled: settled}
}
