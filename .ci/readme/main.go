// Command readme runs the commands of a README and compares what they print
// with what it says.
//
// The blocks fenced as console are one shell session, from top to bottom: a line
// that begins with "$ " is a command, "> " continues it, and the lines after it
// are its output, standard error included; … stands for anything within a line.
// A block fenced as "console varies" is run as well, but its output is not
// compared. A command that ends in & is left running until the end of the
// session; the next one waits until it has printed what the text shows. A block
// fenced as go is the file example.go for the commands after it.
package main

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: readme README.md")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "readme:", err)
		os.Exit(1)
	}
}

// step is a command and the output that the text shows for it, or a program.
type step struct {
	line    int
	command string
	output  string
	varies  bool
	program string // what is to be in example.go; then there is no command
}

const example = "example.go"

func run(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	steps := parse(string(text))
	if len(steps) == 0 {
		return fmt.Errorf("%s has no commands", path)
	}
	s, err := startSession()
	if err != nil {
		return err
	}
	defer s.close()
	for _, st := range steps {
		fmt.Printf("%s:%d: $ %s\n", path, st.line, cmp.Or(st.command, "cat > "+example))
		if err := s.check(st); err != nil {
			return fmt.Errorf("%s:%d: %w", path, st.line, err)
		}
	}
	fmt.Printf("%d commands of %s passed\n", len(steps), path)
	return nil
}

func parse(text string) (steps []step) {
	fence := "" // of the block that line is in
	for i, line := range strings.Split(text, "\n") {
		switch {
		case fence == "" && strings.HasPrefix(line, "```"):
			fence = line
			if fence == "```go" {
				steps = append(steps, step{line: i + 1})
			}
		case line == "```":
			fence = ""
		case fence == "```go":
			steps[len(steps)-1].program += line + "\n"
		case !strings.HasPrefix(fence, "```console"):
		case strings.HasPrefix(line, "$ "):
			steps = append(steps, step{line: i + 1, command: line[2:], varies: fence == "```console varies"})
		case strings.HasPrefix(line, "> ") && steps[len(steps)-1].output == "":
			steps[len(steps)-1].command += "\n" + line[2:]
		default:
			steps[len(steps)-1].output += line + "\n"
		}
	}
	return steps
}

// pattern returns what matches the output of a step. Empty lines at the end do
// not matter.
func (st step) pattern() *regexp.Regexp {
	text := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimRight(st.output, "\n")), "…", ".*")
	if strings.HasSuffix(st.command, "&") {
		return regexp.MustCompile(text) // more may come
	}
	return regexp.MustCompile(`\A` + text + `\n*\z`)
}

// session is one shell that runs command after command.
type session struct {
	shell *exec.Cmd
	in    *os.File
	out   *bufio.Scanner
	dir   string // what background commands print
	jobs  int
}

// mark begins the line that ends the output of a command; the exit status
// follows it.
const mark = "\x01"

// patience is how long a background command may take to print what the text
// shows: it may have to be built first.
const patience = 10 * time.Minute

func startSession() (*session, error) {
	inR, inW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer outW.Close()
	s := &session{shell: exec.Command("bash"), in: inW, out: bufio.NewScanner(outR)}
	if s.dir, err = os.MkdirTemp("", "readme"); err != nil {
		return nil, err
	}
	s.shell.Stdin, s.shell.Stdout, s.shell.Stderr = inR, outW, outW
	if err := s.shell.Start(); err != nil {
		return nil, err
	}
	// With job control each background command has a process group, so that what
	// it started ends with it.
	_, err = fmt.Fprintln(inW, "set -m; trap 'for job in $(jobs -p); do kill -- -$job; done; wait' EXIT")
	return s, err
}

// check runs a step and compares what it prints.
func (s *session) check(st step) error {
	if st.program != "" {
		return os.WriteFile(example, []byte(st.program), 0o666)
	}
	if command, ok := strings.CutSuffix(st.command, "&"); ok {
		return s.background(command, st.pattern())
	}
	got, status, err := s.run(st.command)
	fmt.Print(got)
	switch {
	case err != nil:
		return err
	case st.varies && status != "0":
		return fmt.Errorf("exit status %s", status)
	case !st.varies && !st.pattern().MatchString(got):
		return fmt.Errorf("that is not what the text shows:\n%s", st.output)
	}
	return nil
}

// run runs a command and returns what it printed and its exit status. The
// standard input of the command is empty.
func (s *session) run(command string) (output, status string, err error) {
	if _, err := fmt.Fprintf(s.in, "{ %s\n} </dev/null; printf '\\n%s%%d\\n' $?\n", command, mark); err != nil {
		return "", "", err
	}
	var b strings.Builder
	for s.out.Scan() {
		if rest, ok := strings.CutPrefix(s.out.Text(), mark); ok {
			return strings.TrimSuffix(b.String(), "\n"), rest, nil
		}
		b.WriteString(s.out.Text() + "\n")
	}
	return b.String(), "", fmt.Errorf("the shell ended: %w", s.out.Err())
}

// background starts a command and waits until it has printed want.
func (s *session) background(command string, want *regexp.Regexp) error {
	s.jobs++
	log := filepath.Join(s.dir, fmt.Sprint(s.jobs))
	if _, _, err := s.run(fmt.Sprintf("%s >%s 2>&1 &", command, log)); err != nil {
		return err
	}
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if got, err := os.ReadFile(log); err == nil && want.Match(got) {
			return nil
		}
	}
	got, _ := os.ReadFile(log)
	return fmt.Errorf("after %v it has printed only\n%s", patience, got)
}

func (s *session) close() {
	fmt.Fprintln(s.in, "exit")
	s.in.Close()
	s.shell.Wait()
	os.RemoveAll(s.dir)
	os.Remove(example)
}
