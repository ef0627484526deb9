package check

import (
	"fmt"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

var promql = parser.NewParser(parser.Options{})

// exposed returns what a worker exposes, the series that Prometheus would have of
// it.
func exposed(t *testing.T) []labels.Labels {
	t.Helper()
	p := ports(t, 2)
	url, address := fmt.Sprintf("nats://127.0.0.1:%d", p[0]), fmt.Sprintf("127.0.0.1:%d", p[1])
	dir := t.TempDir()
	start(t, dir, syscall.SIGTERM, program("nats-server", "--addr", "127.0.0.1", "--port", fmt.Sprint(p[0])))
	w := program("worker")
	w.Env = append(w.Env, "SUDOKU_NATS_URL="+url, "SUDOKU_HTTP_ADDR="+address)
	start(t, dir, syscall.SIGTERM, w)
	await(t, "http://"+address+"/readyz")

	var all []labels.Labels
	for line := range strings.Lines(await(t, "http://"+address+"/metrics")) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		series, err := promql.ParseMetric(line[:strings.LastIndexByte(line, ' ')])
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		all = append(all, labels.NewBuilder(series).Set("job", "sudoku-worker").Set("instance", address).Labels())
	}
	return all
}

// A query is one that a file of deploy asks Prometheus.
type query struct{ where, text string }

func queries(t *testing.T) []query {
	t.Helper()
	var all []query
	for _, p := range panels(t) {
		for _, target := range p.Targets {
			all = append(all, query{"panel " + *p.Title, target.(*prometheus.Dataquery).Expr})
		}
	}
	for _, m := range regexp.MustCompile(`label_values\(([^,]*),`).FindAllSubmatch(read(t, "deploy/grafana/dashboards/sudoku.json"), -1) {
		all = append(all, query{"variable", string(m[1])})
	}
	for _, a := range alerts(t) {
		all = append(all, query{"alert " + a.Name, a.Expr})
	}
	for _, s := range kustomize(t, "deploy/kubernetes/overlays/production").ScaledObjects {
		for _, tr := range s.Spec.Triggers {
			if text := tr.Metadata["query"]; text != "" {
				all = append(all, query{"trigger of " + s.Name, text})
			}
		}
	}
	return all
}

// grafana puts values in the place of the dashboard's variables, as Grafana does.
var grafana = strings.NewReplacer("$__rate_interval", "1m", "$instance", ".*")

// TestQueriesFindMetrics checks that each selector of each query finds at least one
// series of a worker: that the metric is there, with such labels.
func TestQueriesFindMetrics(t *testing.T) {
	series := exposed(t)
	for _, q := range queries(t) {
		expr, err := promql.ParseExpr(grafana.Replace(q.text))
		if err != nil {
			t.Errorf("%s: %s: %v", q.where, q.text, err)
			continue
		}
		parser.Inspect(expr, func(n parser.Node, _ []parser.Node) error {
			if s, ok := n.(*parser.VectorSelector); ok && !found(series, s) {
				t.Errorf("%s: a worker exposes nothing like %s", q.where, s)
			}
			return nil
		})
	}
}

func found(series []labels.Labels, s *parser.VectorSelector) bool {
	for _, l := range series {
		if matches(s.LabelMatchers, l) {
			return true
		}
	}
	return false
}

func matches(all []*labels.Matcher, l labels.Labels) bool {
	for _, m := range all {
		if !m.Matches(l.Get(m.Name)) {
			return false
		}
	}
	return true
}

var histogramPart = regexp.MustCompile(`_(bucket|sum|count)$`)

// TestMetricsAreShown checks that each metric of ours is in some panel or alert:
// what nobody looks at need not be exposed.
func TestMetricsAreShown(t *testing.T) {
	var asked strings.Builder
	for _, q := range queries(t) {
		asked.WriteString(q.text + "\n")
	}
	for _, l := range exposed(t) {
		name := histogramPart.ReplaceAllString(l.Get("__name__"), "")
		if strings.HasPrefix(name, "sudoku_") && !strings.Contains(asked.String(), name) {
			t.Errorf("%s is in no panel and no alert", name)
		}
	}
}
