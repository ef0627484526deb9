package main

import (
	"io"
	"os"
	"sync"

	"golang.org/x/term"
)

// A console is standard error: lines that stay, and on a terminal one line below
// them that does not. It is safe for concurrent use.
type console struct {
	terminal bool

	mu   sync.Mutex
	w    io.Writer
	live string // the line that does not stay, if it is there
}

func newConsole(w io.Writer) *console { return &console{terminal: isTerminal(w), w: w} }

// isTerminal reports whether f is a terminal.
func isTerminal(f any) bool {
	file, ok := f.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// Write writes whole lines that stay.
func (c *console) Write(lines []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.erase()
	return c.w.Write(lines)
}

// show replaces the line that does not stay, on a terminal.
func (c *console) show(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.erase()
	c.live = line
	io.WriteString(c.w, line)
}

// clear removes the line that does not stay.
func (c *console) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.erase()
}

// erase returns the cursor and clears to the end of the line.
func (c *console) erase() {
	if c.live != "" {
		io.WriteString(c.w, "\r\x1b[K")
		c.live = ""
	}
}
