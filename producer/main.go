// Command producer sends Sudoku puzzles to the workers and prints their answers.
// Without a NATS URL it works alone, with a server and a worker inside its
// process. producer -h prints the commands, the configuration and the exit
// status.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	if text := message(err); text != "" {
		fmt.Fprintln(os.Stderr, "producer: "+text)
	}
	os.Exit(status(err))
}
