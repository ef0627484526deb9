package main

import (
	"fmt"
	"time"

	"github.com/alecthomas/kong"

	"sudoku/producer/client"
	"sudoku/producer/format"
)

// arguments are the commands and their flags.
type arguments struct {
	Solve solveCommand `cmd:"" default:"withargs" help:"Print the smallest solution of each puzzle. The command may be left out."`
	Count countCommand `cmd:"" help:"Print how many solutions each puzzle has."`
	All   allCommand   `cmd:"" help:"Print every solution of each puzzle, in lexicographic order."`
	Check checkCommand `cmd:"" help:"Print whether each puzzle is unique, multiple, none or invalid; found here, without workers."`
	Fmt   fmtCommand   `cmd:"" help:"Print each puzzle in another form, unsolved."`
	Bench benchCommand `cmd:"" help:"Measure workers and queue, beside a bare echo and the solver alone."`

	Top topCommand `cmd:"" help:"Watch the workers, and the durable jobs."`

	Submit  submitCommand  `cmd:"" group:"Durable jobs" help:"Leave puzzles to the workers, print the id of the job, and come back later."`
	Results resultsCommand `cmd:"" group:"Durable jobs" help:"Print the answers of a job, as solve would."`
	Status  statusCommand  `cmd:"" group:"Durable jobs" help:"Print how far a job is, or all."`
	Jobs    jobsCommand    `cmd:"" group:"Durable jobs" help:"List the jobs."`
	Cancel  cancelCommand  `cmd:"" group:"Durable jobs" help:"Give a job up. The answers that are there stay."`
	Dead    deadCommand    `cmd:"" group:"Durable jobs" help:"Look after chunks that the workers gave up."`
	Setup   setupCommand   `cmd:"" group:"Durable jobs" help:"Make the streams of durable jobs, or change them."`

	Context string           `placeholder:"NAME" help:"Reach NATS as the context NAME of the nats program says. --nats and the environment go first."`
	Version kong.VersionFlag `help:"Print the version."`
}

// inputFlags say what to read.
type inputFlags struct {
	Puzzles []string `arg:"" optional:"" name:"puzzle" help:"A puzzle of 81 characters or nine times nine, a file, or - for standard input, which is also read when nothing is named. After -- a puzzle may begin with -."`
	Format  string   `group:"Input" enum:"${formats}" default:"auto" help:"Read nothing but this format: ${formats}."`
}

func (f inputFlags) format() format.Format {
	kind, err := format.ParseFormat(f.Format)
	if err != nil {
		panic(err) // kong has checked it
	}
	return kind
}

// outputFlags say what to print where.
type outputFlags struct {
	As     string `group:"Output" enum:"${forms}" default:"line" help:"Form of the answers: ${forms}."`
	JSON   bool   `group:"Output" help:"Short for --as json."`
	Output string `group:"Output" short:"o" placeholder:"FILE" help:"Write to FILE, which is replaced when all is done; so it may be the input."`
}

func (f outputFlags) form() format.Form {
	if f.JSON {
		return format.AsJSON
	}
	form, err := format.ParseForm(f.As)
	if err != nil {
		panic(err) // kong has checked it
	}
	return form
}

// talkFlags say what to tell people on standard error.
type talkFlags struct {
	Quiet    bool `group:"Output" short:"q" help:"No progress, no summary; only what is wrong."`
	Progress bool `group:"Output" help:"Show the progress although standard error is no terminal, a line a second."`
}

// queueFlags say how to ask the workers.
type queueFlags struct {
	NATS    string        `group:"Queue" name:"nats" placeholder:"URL" help:"NATS server, instead of SUDOKU_NATS_URL. Without either, a server and a worker run in this process."`
	Timeout time.Duration `group:"Queue" default:"1m" help:"How long to wait for an answer, with all retries: 1ms to 24h."`
	Retries int           `group:"Queue" default:"10" help:"How often a failed request is sent again: 0 to 1000."`
}

// streamFlags say how to ask for many puzzles.
type streamFlags struct {
	Window    int  `group:"Queue" default:"64" help:"Messages on their way at a time: 1 to 4096."`
	Batch     int  `group:"Queue" default:"256" help:"Puzzles in a message: 1 to 4096."`
	Rate      rate `group:"Queue" placeholder:"N/s" help:"Puzzles sent in a time, such as 500/s, 30/m or 10/h. Default: as many as possible."`
	Unordered bool `group:"Queue" help:"Print answers as they come, not in the order of the puzzles."`
}

func (f queueFlags) check() error {
	if f.Timeout < time.Millisecond || f.Timeout > 24*time.Hour {
		return fmt.Errorf("--timeout=%v is not from 1ms to 24h", f.Timeout)
	}
	return within("retries", f.Retries, 0, 1000)
}

func (f streamFlags) check() error {
	if err := within("window", f.Window, 1, 4096); err != nil {
		return err
	}
	return within("batch", f.Batch, 1, 4096)
}

func within(flag string, v, least, most int) error {
	if v < least || v > most {
		return fmt.Errorf("--%s=%d is not from %d to %d", flag, v, least, most)
	}
	return nil
}

// options returns the flags as options of a client.
func (f queueFlags) options() client.Options {
	o := client.Options{Timeout: f.Timeout, Retries: f.Retries}
	if f.Timeout == time.Minute {
		o.Timeout = 0 // the default need not be told to the workers
	}
	if f.Retries == 0 {
		o.Retries = -1
	}
	return o
}
