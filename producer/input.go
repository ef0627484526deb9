package main

import (
	"context"
	"fmt"
	"io"
	"iter"

	"sudoku/producer/format"
)

// A chunk is some puzzles of the input in order, and at its end why reading
// failed.
type chunk struct {
	puzzles []format.Puzzle
	err     error
}

// chunkSize bounds the puzzles of a chunk; a slow input gives smaller ones.
const chunkSize = 256

// read sends the puzzles of all sources, as one stream, until the end of the
// input, a failure or the end of ctx. It reads in a goroutine of its own, which
// nobody waits for when ctx ends: a read from a terminal or a pipe cannot be
// interrupted.
func read(ctx context.Context, sources []source, f format.Format) <-chan chunk {
	chunks := make(chan chunk, 16)
	r := &reader{ctx: ctx, format: f, chunks: chunks}
	go func() {
		defer close(chunks)
		for _, s := range sources {
			if err := r.read(s); err != nil {
				r.send(chunk{r.puzzles, err})
				return
			}
		}
		r.flush()
	}()
	return chunks
}

type reader struct {
	ctx     context.Context
	format  format.Format
	chunks  chan<- chunk
	puzzles []format.Puzzle // read and not sent yet
}

func (r *reader) read(s source) error {
	file, err := s.open()
	if err != nil {
		return err
	}
	defer file.Close()
	for p, err := range format.NewReader(&eager{file, r.flush}, s.name, r.format).All() {
		if err != nil {
			return fmt.Errorf("reading %s: %w", s.name, err)
		}
		r.puzzles = append(r.puzzles, p)
		if len(r.puzzles) == chunkSize {
			r.flush()
		}
		if r.ctx.Err() != nil {
			return nil
		}
	}
	return nil
}

// flush sends what is read, if anything.
func (r *reader) flush() {
	if len(r.puzzles) > 0 {
		r.send(chunk{puzzles: r.puzzles})
		r.puzzles = make([]format.Puzzle, 0, chunkSize)
	}
}

func (r *reader) send(c chunk) {
	select {
	case r.chunks <- c:
	case <-r.ctx.Done():
	}
}

// eager is an input that calls flush before each read, which may wait.
type eager struct {
	io.Reader
	flush func()
}

func (e *eager) Read(b []byte) (int, error) {
	e.flush()
	return e.Reader.Read(b)
}

// puzzles yields what read has sent, until its end or that of ctx. An error
// comes with a nil Puzzle and ends the sequence.
func puzzles(ctx context.Context, chunks <-chan chunk) iter.Seq2[*format.Puzzle, error] {
	return func(yield func(*format.Puzzle, error) bool) {
		for {
			var c chunk
			select {
			case c = <-chunks: // the zero chunk after the last
			case <-ctx.Done():
			}
			for i := range c.puzzles {
				if !yield(&c.puzzles[i], nil) {
					return
				}
			}
			if c.err != nil {
				yield(nil, c.err)
			}
			if len(c.puzzles) == 0 || c.err != nil {
				return
			}
		}
	}
}
