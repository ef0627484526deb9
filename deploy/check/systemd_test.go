package check

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

const unit = "deploy/systemd/sudoku-worker.service"

// writeUnit returns the path of the unit, changed so that it finds the worker
// where it was built.
func writeUnit(t *testing.T) string {
	t.Helper()
	installed, built := []byte("/usr/local/bin/worker"), []byte(filepath.Join(bin, "worker"))
	text := read(t, unit)
	if !bytes.Contains(text, append([]byte("ExecStart="), installed...)) {
		t.Fatalf("%s does not start %s", unit, installed)
	}
	path := filepath.Join(t.TempDir(), filepath.Base(unit))
	if err := os.WriteFile(path, bytes.ReplaceAll(text, installed, built), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestUnit lets systemd itself look for settings it does not know, values it
// cannot read, and programs that are not there.
func TestUnit(t *testing.T) {
	out, err := exec.Command("systemd-analyze", "verify", writeUnit(t)).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("systemd-analyze verify: %v\n%s", err, out)
	}
}

// mostExposed is the exposure, from 0 to 100, that systemd-analyze security may
// find. What is left is that the worker has a network.
const mostExposed = "15"

func TestUnitIsHardened(t *testing.T) {
	out, err := exec.Command("systemd-analyze", "security", "--offline=true", "--threshold="+mostExposed, writeUnit(t)).CombinedOutput()
	if err != nil {
		t.Errorf("systemd-analyze security: %v\n%s", err, out)
	}
}

func TestUnitSettings(t *testing.T) {
	text := read(t, unit)
	var names []string
	for _, m := range regexp.MustCompile(`\b(SUDOKU_[A-Z_]+)=`).FindAllSubmatch(text, -1) {
		names = append(names, string(m[1]))
	}
	checkEnvironment(t, unit, names)

	m := regexp.MustCompile(`(?m)^TimeoutStopSec=(.*)$`).FindSubmatch(text)
	if m == nil {
		t.Fatalf("%s has no TimeoutStopSec", unit)
	}
	grace, err := time.ParseDuration(string(m[1]))
	if err != nil {
		t.Fatal(err)
	}
	checkGrace(t, unit, grace)
}
