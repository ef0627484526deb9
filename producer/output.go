package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// An output is standard output or a file.
type output struct {
	io.Writer
	file *os.File // nil for standard output
	name string   // what file is called when it is complete; empty if it is already
}

// openOutput opens the file of that name, or standard output where it is empty.
// A file keeps what is in it until the new one is complete, so it may be the
// input; a pipe or a device is written to at once.
func openOutput(name string, stdout io.Writer) (*output, error) {
	if name == "" {
		return &output{Writer: stdout}, nil
	}
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		return &output{Writer: f, file: f}, err
	}
	part := filepath.Join(filepath.Dir(name), fmt.Sprintf(".%s.%d", filepath.Base(name), os.Getpid()))
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err == nil && info != nil {
		err = f.Chmod(info.Mode().Perm())
	}
	return &output{Writer: f, file: f, name: name}, err
}

// close makes the file complete, unless writing to it has failed with err.
func (o *output) close(err error) error {
	if o.file == nil {
		return err
	}
	if err != nil {
		o.discard()
		return err
	}
	if err = o.file.Close(); err == nil && o.name != "" {
		err = os.Rename(o.file.Name(), o.name)
	}
	return err
}

// discard leaves what had the name before.
func (o *output) discard() {
	if o.file == nil {
		return
	}
	o.file.Close()
	if o.name != "" {
		os.Remove(o.file.Name())
	}
}
