package check

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
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

// TestWorkerUnitPermitsLowPriority checks that the unit's filter lets the worker
// lower the priority of its threads: without, jobs would slow down requests, and
// nothing would say why.
func TestWorkerUnitPermitsLowPriority(t *testing.T) {
	permitted := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^SystemCallFilter=(~?)(.*)$`).FindAllSubmatch(read(t, workerUnit), -1) {
		for _, name := range strings.Fields(string(m[2])) {
			for _, call := range systemCalls(t, name) {
				permitted[call] = len(m[1]) == 0
			}
		}
	}
	for _, call := range []string{"futex", "sched_setattr", "setpriority"} {
		if !permitted[call] {
			t.Errorf("%s does not permit %s", workerUnit, call)
		}
	}
	if permitted["mount"] {
		t.Errorf("%s permits mount", workerUnit)
	}
}

// systemCalls returns the system calls of a set as systemd knows it, or the one of
// that name.
func systemCalls(t *testing.T, name string) (calls []string) {
	t.Helper()
	if !strings.HasPrefix(name, "@") {
		return []string{name}
	}
	set := succeeds(t, exec.Command("systemd-analyze", "syscall-filter", name))
	for _, m := range regexp.MustCompile(`(?m)^    (@?[a-z0-9_-]+)$`).FindAllStringSubmatch(set, -1) {
		calls = append(calls, systemCalls(t, m[1])...)
	}
	return calls
}
