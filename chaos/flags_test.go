package chaos

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"testing"

	"go.uber.org/goleak"
)

// What there is to do; the defaults depend on the build tag chaos.
var (
	seed    = flag.Uint64("seed", 0, "of the first round; 0 means a random one")
	rounds  = flag.Int("rounds", defaultRounds, "rounds of faults in each test")
	puzzles = flag.Int("puzzles", 0, "puzzles of a round; 0 means as many as the test sees fit")
)

// number returns the flag -puzzles, or n where it is not set.
func number(n int) int {
	if *puzzles > 0 {
		return *puzzles
	}
	return n
}

// eachRound calls f with the seed of each round, after which nothing is left of
// it.
func eachRound(t *testing.T, f func(t *testing.T, seed uint64)) {
	first := *seed
	if first == 0 {
		first = rand.Uint64N(1_000_000)
	}
	var before, after runtime.MemStats
	for i := range *rounds {
		s := first + uint64(i)
		t.Logf("go test ./chaos -run '^%s$' -rounds 1 -seed %d", t.Name(), s)
		t.Run(fmt.Sprint(s), func(t *testing.T) { f(t, s) })
		goleak.VerifyNone(t)
		runtime.GC()
		runtime.ReadMemStats(&after)
		if i == 0 {
			before = after
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%s in use after the first round, %s after the last", size(before.HeapAlloc), size(after.HeapAlloc))
	if after.HeapAlloc > before.HeapAlloc+8<<20 {
		t.Errorf("memory has grown by %s", size(after.HeapAlloc-before.HeapAlloc))
	}
}

// size writes a number of bytes.
func size(n uint64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }

// source returns the chance that a seed decides. Each use has one of its own, so
// that one does not depend on how often another was asked.
func source(seed uint64, use string) *rand.Rand {
	var n uint64
	for _, c := range []byte(use) {
		n = n*31 + uint64(c)
	}
	return rand.New(rand.NewPCG(seed, n))
}

func TestMain(m *testing.M) {
	flag.Parse()
	var err error
	if programs, err = os.MkdirTemp("", "chaos"); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(status int) {
		os.RemoveAll(programs)
		os.Exit(status)
	}))
}
