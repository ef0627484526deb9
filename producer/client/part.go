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
	limit   int                                           // solutions, for count
	parse   func(dst []T, body []byte) (n int, err error) // the first answers of body, and how many there are
	status  func(T) solver.Status
	fits    func(answer T, puzzle solver.Grid) bool  // whether answer can be one to puzzle
	err     func(answer T, puzzle solver.Grid) error // why answer has not what was asked for; nil if it has
}

var solving = &operation[solver.Result]{
	subject: wire.SubjectSolve,
	parse: func(dst []solver.Result, body []byte) (n int, err error) {
		for r, err := range wire.ParseResults(body) {
			if err != nil {
				return n, err
			}
			if n < len(dst) {
				dst[n] = r
			}
			n++
		}
		return n, nil
	},
	status: func(r solver.Result) solver.Status { return r.Status },
	fits: func(r solver.Result, puzzle solver.Grid) bool {
		return r.Status != solver.Unique && r.Status != solver.Multiple || r.Solution.Keeps(&puzzle)
	},
	err: solver.Result.Err,
}

func counting(limit int) *operation[wire.Count] {
	return &operation[wire.Count]{
		subject: wire.SubjectCount,
		limit:   limit,
		parse: func(dst []wire.Count, body []byte) (n int, err error) {
			for c, err := range wire.ParseCounts(body) {
				if err != nil {
					return n, err
				}
				if n < len(dst) {
					dst[n] = c
				}
				n++
			}
			return n, nil
		},
		status: func(n wire.Count) solver.Status { return n.Status },
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
	n, err := p.op.parse(p.answers, m.Data)
	if err != nil {
		return false, err
	}
	if n != len(p.asked) {
		return false, fmt.Errorf("%d answers to %d puzzles", n, len(p.asked))
	}
	for i, answer := range p.answers {
		if !p.fits(answer, p.asked[i]) {
			return false, fmt.Errorf("reply line %d does not answer %s", i+1, p.asked[i])
		}
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
	return p.op.err(p.answers[i], p.asked[i])
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
