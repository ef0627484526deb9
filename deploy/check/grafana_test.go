package check

import (
	"testing"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/heatmap"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
	"github.com/grafana/grafana-foundation-sdk/go/stat"
	"github.com/grafana/grafana-foundation-sdk/go/timeseries"
	"sigs.k8s.io/yaml"
)

// panels returns the panels of the dashboard that show something. It is decoded
// into the types that Grafana publishes; a field that they do not have, a panel
// other than these three, and a query that is not for Prometheus are errors.
func panels(t *testing.T) []dashboard.Panel {
	t.Helper()
	r := cog.NewRuntime()
	r.RegisterPanelcfgVariant(timeseries.VariantConfig())
	r.RegisterPanelcfgVariant(stat.VariantConfig())
	r.RegisterPanelcfgVariant(heatmap.VariantConfig())
	r.RegisterDataqueryVariant(prometheus.VariantConfig())
	var d dashboard.Dashboard
	if err := d.UnmarshalJSONStrict(read(t, "deploy/grafana/dashboards/sudoku.json")); err != nil {
		t.Fatal(err)
	}
	if err := d.Validate(); err != nil {
		t.Fatal(err)
	}
	var all []dashboard.Panel
	for _, p := range d.Panels {
		if p.Panel != nil {
			all = append(all, *p.Panel)
		}
	}
	return all
}

// TestDashboardLayout checks that no panel covers another or the edge, and that
// each says what it shows.
func TestDashboardLayout(t *testing.T) {
	taken := map[[2]uint32]string{}
	ids := map[uint32]bool{}
	for _, p := range panels(t) {
		if p.Title == nil || *p.Title == "" {
			t.Fatalf("panel %d has no title", *p.Id)
		}
		if ids[*p.Id] {
			t.Errorf("%s: id %d is that of another panel", *p.Title, *p.Id)
		}
		ids[*p.Id] = true
		pos := p.GridPos
		if pos.X+pos.W > 24 {
			t.Errorf("%s: reaches beyond column 24", *p.Title)
		}
		for x := pos.X; x < pos.X+pos.W; x++ {
			for y := pos.Y; y < pos.Y+pos.H; y++ {
				if other := taken[[2]uint32{x, y}]; other != "" {
					t.Fatalf("%s covers %s", *p.Title, other)
				}
				taken[[2]uint32{x, y}] = *p.Title
			}
		}
	}
}

// TestGrafanaProvisioning checks that Grafana finds the dashboards where
// docker-compose.yml puts them, and its data at the service of that name.
func TestGrafanaProvisioning(t *testing.T) {
	var sources struct {
		Datasources []struct{ Type, URL string }
	}
	if err := yaml.Unmarshal(read(t, "deploy/grafana/provisioning/datasources/prometheus.yml"), &sources); err != nil {
		t.Fatal(err)
	}
	if s := sources.Datasources; len(s) != 1 || s[0].Type != "prometheus" || s[0].URL != "http://prometheus:9090" {
		t.Errorf("data sources = %+v, want Prometheus at http://prometheus:9090", s)
	}
	var dashboards struct {
		Providers []struct{ Options struct{ Path string } }
	}
	if err := yaml.Unmarshal(read(t, "deploy/grafana/provisioning/dashboards/sudoku.yml"), &dashboards); err != nil {
		t.Fatal(err)
	}
	path := dashboards.Providers[0].Options.Path
	for _, v := range compose(t, "*").Services["grafana"].Volumes {
		if v.Target == path {
			return
		}
	}
	t.Errorf("docker-compose.yml mounts nothing at %s", path)
}
