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

const workerUnit = "deploy/systemd/sudoku-worker.service"

// writeUnits returns the paths of the units, changed so that they find their
// programs where they were built.
func writeUnits(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	var paths []string
	for _, f := range files(t, "deploy/systemd/*.service") {
		text, installed := read(t, f), []byte("ExecStart=/usr/local/bin/")
		if !bytes.Contains(text, installed) {
			t.Errorf("%s starts nothing in /usr/local/bin", f)
		}
		path := filepath.Join(dir, filepath.Base(f))
		if err := os.WriteFile(path, bytes.ReplaceAll(text, installed, []byte("ExecStart="+bin+"/")), 0o644); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// TestUnits lets systemd itself look for settings it does not know, values it
// cannot read, and programs that are not there.
func TestUnits(t *testing.T) {
	for _, u := range writeUnits(t) {
		out, err := exec.Command("systemd-analyze", "verify", u).CombinedOutput()
		if err != nil || len(out) > 0 {
			t.Errorf("systemd-analyze verify %s: %v\n%s", u, err, out)
		}
	}
}

// mostExposed is the exposure, from 0 to 100, that systemd-analyze security may
// find. What is left is that the programs have a network.
const mostExposed = "15"

func TestUnitsAreHardened(t *testing.T) {
	for _, u := range writeUnits(t) {
		out, err := exec.Command("systemd-analyze", "security", "--offline=true", "--threshold="+mostExposed, u).CombinedOutput()
		if err != nil {
			t.Errorf("systemd-analyze security %s: %v\n%s", u, err, out)
		}
	}
}

func TestWorkerUnitSettings(t *testing.T) {
	text := read(t, workerUnit)
	var names []string
	for _, m := range regexp.MustCompile(`\b(SUDOKU_[A-Z_]+)=`).FindAllSubmatch(text, -1) {
		names = append(names, string(m[1]))
	}
	checkEnvironment(t, workerUnit, names)

	m := regexp.MustCompile(`(?m)^TimeoutStopSec=(.*)$`).FindSubmatch(text)
	if m == nil {
		t.Fatalf("%s has no TimeoutStopSec", workerUnit)
	}
	grace, err := time.ParseDuration(string(m[1]))
	if err != nil {
		t.Fatal(err)
	}
	checkGrace(t, workerUnit, grace)
}
