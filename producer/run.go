package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"sudoku/config"
	"sudoku/producer/format"
)

// A program is what every command has.
type program struct {
	ctx     context.Context // ends when the program is interrupted, or by end
	end     context.CancelCauseFunc
	stdin   io.Reader
	stdout  io.Writer
	console *console // standard error
	config  config.Config
	context string       // of the nats program; empty where none is named
	tracer  trace.Tracer // nil where nothing is traced
}

// run is the program. The error says what the exit status is; see status.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	var a arguments
	command, err := parse(&a, args, stdout)
	if command == nil || err != nil {
		return err
	}
	c, err := config.Load()
	if err == nil {
		err = useEngine(c.Engine)
	}
	if err != nil {
		return err
	}
	console := newConsole(stderr)
	running, end := context.WithCancelCause(ctx)
	defer end(nil)
	p := &program{ctx: running, end: end, stdin: stdin, stdout: stdout, console: console, config: c, context: a.Context}
	err = p.run(command)
	console.clear()
	switch {
	case ctx.Err() != nil:
		return errInterrupted
	case running.Err() != nil:
		return context.Cause(running)
	}
	return err
}

// run runs a command, in a span of its own where the program is traced.
func (p *program) run(command *kong.Context) error {
	tracer, stop, err := config.Tracer("sudoku-producer", p.logger())
	if err != nil {
		return err
	}
	defer stop()
	if tracer == nil {
		return command.Run(p)
	}
	p.tracer = tracer
	ctx, span := tracer.Start(p.ctx, "producer "+command.Selected().Name)
	defer span.End()
	p.ctx = ctx
	if err = command.Run(p); err != nil {
		span.SetStatus(codes.Error, err.Error())
	}
	return err
}

// parse returns the command that args say and a gets, or nil when they ask for help or the
// version and have got it.
func parse(a *arguments, args []string, stdout io.Writer) (*kong.Context, error) {
	told := false
	k := kong.Must(a,
		kong.Name("producer"),
		kong.Description(about),
		kong.Vars{"version": "producer " + config.Version(), "formats": names(format.Formats), "forms": names(format.Forms)},
		kong.Writers(stdout, io.Discard),
		kong.Exit(func(int) { told = true }),
		kong.Help(help),
	)
	command, err := k.Parse(args)
	switch {
	case told:
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%w: %w", err, errUsage)
	}
	return command, nil
}

const about = `Sends Sudoku puzzles to the workers and prints their answers, in the order of the input. Without a NATS URL it works alone, with a server and a worker inside its process.`

// help prints what kong knows, and what it does not.
func help(o kong.HelpOptions, ctx *kong.Context) error {
	if err := kong.DefaultHelpPrinter(o, ctx); err != nil {
		return err
	}
	fmt.Fprint(ctx.Stdout, "\nEnvironment:\n")
	config.Usage(ctx.Stdout)
	fmt.Fprintln(ctx.Stdout)
	statusUsage(ctx.Stdout)
	return nil
}

func names[T fmt.Stringer](values []T) string {
	var all []string
	for _, v := range values {
		all = append(all, v.String())
	}
	return strings.Join(all, ",")
}
