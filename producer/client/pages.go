package client

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"strconv"
	"sync"

	"github.com/nats-io/nats.go"

	"sudoku/solver"
	"sudoku/solver/wire"
)

// All yields the solutions of g in lexicographic order, each with a nil error,
// and stops at limit: fewer are all there are, and limit means that many or more.
// A puzzle without solutions has an empty sequence. An error comes with the zero
// Grid and ends the sequence; it is one of those of [Client.Solve]. A limit below
// 1 yields nothing; one above wire.MaxAllLimit is an error. When ctx ends, so does
// the sequence, with an error that matches [solver.ErrTimeout] and that of ctx.
//
// Workers send as fast as they find, so solutions that the loop has not taken yet
// are kept: 81 bytes each, at most limit of them. If a message was lost the
// request is sent again and the sequence goes on where it was.
func (c *Client) All(ctx context.Context, g solver.Grid, limit int) iter.Seq2[solver.Grid, error] {
	return func(yield func(solver.Grid, error) bool) {
		err := g.Check()
		if err == nil {
			err = checkLimit(limit, wire.MaxAllLimit)
		}
		if err != nil {
			yield(solver.Grid{}, err)
			return
		}
		if limit < 1 {
			return
		}
		ctx, cancel := context.WithCancel(ctx)
		defer c.abandon(ctx)
		defer cancel()
		p := &pages{puzzle: []solver.Grid{g}, most: limit, changed: make(chan struct{}, 1)}
		c.start(ctx, p)
		p.yield(ctx, yield)
	}
}

// pages is the task of finding all solutions of a puzzle. The reply to each
// attempt begins at the first solution again; those that are kept already are
// passed over.
type pages struct {
	puzzle []solver.Grid // one
	most   int

	// Of whoever owns the request.
	attempt uint64      // the newest that brought something; older ones are ignored
	seen    int         // solutions that it brought
	last    solver.Grid // the last of them
	kept    int         // solutions that any attempt brought

	changed chan struct{} // receives after a change below

	mu      sync.Mutex
	found   []solver.Grid // kept and not yet yielded
	settled bool
	err     error
}

func (p *pages) subject() string        { return wire.SubjectAll }
func (p *pages) puzzles() []solver.Grid { return p.puzzle }
func (p *pages) limit() int             { return p.most }
func (p *pages) halves() []task         { return nil }

func (p *pages) read(m *nats.Msg, attempt uint64) (more bool, err error) {
	if attempt < p.attempt {
		return true, nil
	}
	if attempt > p.attempt {
		p.attempt, p.seen, p.last = attempt, 0, solver.Grid{}
	}
	page, err := p.parse(m.Data)
	if err != nil {
		return false, err
	}
	count := m.Header.Get(wire.HeaderCount)
	if n, err := strconv.Atoi(count); err != nil || n != p.seen+len(page) {
		return false, fmt.Errorf("%s is %q after %d solutions", wire.HeaderCount, count, p.seen+len(page))
	}
	p.keep(page)
	return len(page) > 0, nil
}

// parse returns the solutions of a message, which must rise above the last.
func (p *pages) parse(body []byte) (page []solver.Grid, err error) {
	page, err = wire.ParseSolutions(nil, body, p.puzzle[0])
	switch {
	case err != nil:
		return nil, err
	case p.seen+len(page) > p.most:
		return nil, fmt.Errorf("more solutions than the limit of %d", p.most)
	}
	last := &p.last
	for i := range page {
		s := &page[i]
		if bytes.Compare(s[:], last[:]) <= 0 {
			return nil, fmt.Errorf("solution %s after %s", s, last)
		}
		last = s
	}
	return page, nil
}

// keep takes over what is new of a page.
func (p *pages) keep(page []solver.Grid) {
	if len(page) == 0 {
		return
	}
	p.last = page[len(page)-1]
	old := min(max(p.kept-p.seen, 0), len(page))
	p.seen += len(page)
	p.kept = max(p.kept, p.seen)
	p.change(func() { p.found = append(p.found, page[old:]...) })
}

func (p *pages) settle(err error) {
	p.change(func() { p.settled, p.err = true, err })
}

func (p *pages) change(f func()) {
	p.mu.Lock()
	f()
	p.mu.Unlock()
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

// take returns what is found and not yet yielded, and how the task has ended, if
// it has.
func (p *pages) take() (found []solver.Grid, settled bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	found, p.found = p.found, nil
	return found, p.settled, p.err
}

func (p *pages) yield(ctx context.Context, yield func(solver.Grid, error) bool) {
	for {
		found, settled, err := p.take()
		for _, s := range found {
			if !yield(s, nil) {
				return
			}
		}
		if !settled {
			if _, ok := await(ctx, p.changed); ok {
				continue
			}
			err = ended(ctx)
		}
		if err != nil {
			yield(solver.Grid{}, err)
		}
		return
	}
}
