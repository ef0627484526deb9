package config

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// Secret is a text that does not show when it is printed, logged or encoded.
type Secret string

const hidden = "(secret)"

// String returns a text that stands for any secret.
func (Secret) String() string { return hidden }

// GoString is String, for the verb %#v.
func (Secret) GoString() string { return hidden }

// MarshalText is String, for JSON and the like.
func (Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// maxSecret is more than a password or a token has: a file that is longer is
// another one.
const maxSecret = 4096

// readSecret returns what a file has, without the line break at its end. The
// errors do not quote it.
func readSecret(name string) (Secret, error) {
	b, err := readFile(name, maxSecret)
	text := strings.TrimSuffix(strings.TrimSuffix(string(b), "\n"), "\r")
	switch {
	case err != nil:
		return "", err
	case text == "":
		return "", errors.New(name + " is empty")
	case strings.ContainsAny(text, "\r\n"):
		return "", errors.New(name + " has more than one line")
	}
	return Secret(text), nil
}

// readFile is [os.ReadFile] for a file of most bytes at most.
func readFile(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(b)) > most {
		err = fmt.Errorf("%s has more than %d bytes", name, most)
	}
	return b, err
}
