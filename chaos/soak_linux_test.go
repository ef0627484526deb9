package chaos

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"sudoku/producer/client"
)

// A worker that has solved many puzzles uses no more memory than one that has
// solved few. What it uses is what Linux says it has in memory.
func TestSoak(t *testing.T) {
	s := newServer(t)
	c := program(t, "worker")
	c.Env = append(os.Environ(), "SUDOKU_NATS_URL="+s.url())
	w := start(t, c)
	w.await("msg=ready")
	nc := dial(t, s)
	cl, err := client.New(nc, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()

	e := newExam(max(*seed, 1), number(soakPuzzles))
	warm := e.n / 10
	r := newReport(e)
	var first, last uint64
	for a, err := range cl.SolveAll(t.Context(), e.grids()) {
		r.take(a.Index, a.Result, err)
		if r.came == warm {
			first = resident(t, w)
		}
	}
	last = resident(t, w)
	r.log(t)
	t.Logf("the worker uses %s after %d puzzles, and %s after %d", size(first), warm, size(last), e.n)
	if last > first+first/4+16<<20 {
		t.Errorf("the worker's memory has grown from %s to %s", size(first), size(last))
	}
}

// resident returns how many bytes of the process are in memory.
func resident(t *testing.T, p *process) uint64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kib, err := strconv.ParseUint(strings.Fields(rest)[0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return kib << 10
}
