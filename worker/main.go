// Command worker answers Sudoku requests that come over NATS, together with
// other workers in one queue group. Package [sudoku/solver/wire] is the
// protocol; worker -h prints the configuration and the exit status.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"sudoku/config"
)

func main() {
	stop, hurry := signals()
	err := run(stop, hurry, os.Args[1:], os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintf(os.Stderr, "worker: %v\n", err)
	}
	os.Exit(status(err))
}

// signals returns a context that the first SIGINT or SIGTERM ends and one that
// the second ends. The third ends the program.
func signals() (first, second context.Context) {
	first, stop := context.WithCancel(context.Background())
	second, hurry := context.WithCancel(context.Background())
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-c
		stop()
		<-c
		hurry()
		signal.Stop(c)
	}()
	return first, second
}

// Why run returns; anything else is a wrong configuration.
var (
	errUsage   = errors.New("see worker -h")
	errLost    = errors.New("the connection was away at the end, replies may be lost")
	errRefused = errors.New("the connection was refused for good")
)

// status returns the exit status for what run returned.
func status(err error) int {
	var configuration *config.Error
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errUsage), errors.As(err, &configuration):
		return 2
	case errors.Is(err, errLost):
		return 3
	case errors.Is(err, errRefused):
		return 4
	}
	return 1
}
