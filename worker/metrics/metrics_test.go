package metrics_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	dto "github.com/prometheus/client_model/go"
	"go.uber.org/goleak"

	"sudoku/worker/jobs"
	"sudoku/worker/local/natstest"
	"sudoku/worker/metrics"
	"sudoku/worker/service"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// registry returns one with everything there is.
func registry(t *testing.T) *prometheus.Registry {
	t.Helper()
	nc, err := nats.Connect(natstest.Start(t, "").URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	s, err := service.Start(nc, service.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Stop(t.Context()) })
	j, err := jobs.Start(nc, s.Solve, jobs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Stop(t.Context()) })
	r := prometheus.NewPedanticRegistry()
	r.MustRegister(metrics.Service(s), metrics.Search(), metrics.Jobs(j), metrics.Connection("requests", nc), metrics.Connection("jobs", nc), metrics.Build("1.2.3", "go1.26.0"))
	return r
}

func TestLint(t *testing.T) {
	problems, err := testutil.GatherAndLint(registry(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

func TestReadmeHasTheTable(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	families, err := registry(t).Gather()
	if err != nil {
		t.Fatal(err)
	}
	if want := table(families); !strings.Contains(string(readme), want) {
		t.Errorf("README.md does not have the table of metrics, which is now\n%s", want)
	}
}

// table returns the metrics as README.md has them.
func table(families []*dto.MetricFamily) string {
	var b strings.Builder
	b.WriteString("| Metric | Type | Labels | Meaning |\n|---|---|---|---|\n")
	for _, f := range families {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", f.GetName(), strings.ToLower(f.GetType().String()), labels(f), f.GetHelp())
	}
	return b.String()
}

// labels returns the labels of f with the values they have, unless these tell builds
// and machines apart.
func labels(f *dto.MetricFamily) string {
	var names []string
	values := map[string][]string{}
	for _, m := range f.GetMetric() {
		for _, l := range m.GetLabel() {
			name, value := l.GetName(), l.GetValue()
			if _, ok := values[name]; !ok {
				names = append(names, name)
			}
			if !slices.Contains(values[name], value) {
				values[name] = append(values[name], value)
			}
		}
	}
	for i, name := range names {
		names[i] = "`" + name + "`"
		if !strings.HasSuffix(f.GetName(), "_info") {
			names[i] += ": " + strings.Join(values[name], ", ")
		}
	}
	return strings.Join(names, "; ")
}
