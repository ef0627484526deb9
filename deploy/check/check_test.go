package check

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// root is the directory of module sudoku.
const root = "../.."

// bin is the directory of the programs: worker, producer and the nats-server of
// the version in module sudoku's go.mod.
var bin string

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "check")
	if err == nil {
		defer os.RemoveAll(dir)
		bin = dir
		err = build()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "check:", err)
		return 1
	}
	return m.Run()
}

func build() error {
	b := exec.Command("go", "build", "-o", bin+"/", "./worker", "./producer", "github.com/nats-io/nats-server/v2")
	b.Dir = root
	if out, err := b.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %v: %s", b, err, out)
	}
	return nil
}

// program returns a command that runs one of the programs in an environment of
// its own.
func program(name string, args ...string) *exec.Cmd {
	c := exec.Command(filepath.Join(bin, name), args...)
	c.Env = []string{}
	return c
}

// succeeds returns what the command prints.
func succeeds(t *testing.T, c *exec.Cmd) string {
	t.Helper()
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", c, err, out)
	}
	return string(out)
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// files returns the paths below root that match a pattern, at least one.
func files(t *testing.T, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(root, pattern))
	if err != nil || len(found) == 0 {
		t.Fatalf("Glob(%q) = %q, %v, want files", pattern, found, err)
	}
	for i, f := range found {
		found[i], _ = filepath.Rel(root, f)
	}
	return found
}
