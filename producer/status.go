package main

import (
	"errors"
	"fmt"
	"io"

	"sudoku/config"
	"sudoku/producer/client"
	"sudoku/producer/client/jobs"
	"sudoku/solver/wire"
)

// Why run returns. Anything else is a failure of reading or writing.
var (
	errUsage       = errors.New("see producer -h")
	errPuzzles     = errors.New("some puzzles have no solution or are invalid")
	errFailed      = errors.New("some requests failed or timed out")
	errForbidden   = errors.New("the NATS server does not permit it")
	errConnection  = errors.New("no connection to NATS")
	errInterrupted = errors.New("interrupted")
)

// status returns the exit status for what run returned.
func status(err error) int {
	var configuration *config.Error
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errPuzzles):
		return 1
	case errors.Is(err, errUsage), errors.As(err, &configuration):
		return 2
	case errors.Is(err, client.ErrNoWorkers), errors.Is(err, errConnection), errors.Is(err, errForbidden), errors.Is(err, jobs.ErrNoJetStream), errors.Is(err, jobs.ErrOldServer):
		return 4
	case errors.Is(err, wire.ErrBusy):
		return 5
	case errors.Is(err, errInterrupted):
		return 130
	}
	return 3
}

func statusUsage(w io.Writer) {
	fmt.Fprint(w, `Exit status:
  0    every puzzle has a solution (check: exactly one)
  1    some have none (check: or several), or are invalid
  2    usage or configuration
  3    some requests failed or timed out, or reading or writing failed; there is
       no such job, or not all of it yet
  4    no workers, no connection, no permission, or no (or an old) JetStream for durable jobs
  5    the workers stayed busy after all retries
  130  interrupted; what was done is printed
`)
}

// message returns what to say about err at the end: nothing where the answers
// have said it all.
func message(err error) string {
	if err == nil || errors.Is(err, errPuzzles) {
		return ""
	}
	return err.Error()
}
