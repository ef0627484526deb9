package check

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// alert is a rule of alerts.yml.
type alert struct {
	Name        string `json:"alert"`
	Expr        string
	Labels      map[string]string
	Annotations map[string]string
}

func alerts(t *testing.T) []alert {
	t.Helper()
	var file struct{ Groups []struct{ Rules []alert } }
	if err := yaml.Unmarshal(read(t, "deploy/prometheus/alerts.yml"), &file); err != nil {
		t.Fatal(err)
	}
	var all []alert
	for _, g := range file.Groups {
		all = append(all, g.Rules...)
	}
	return all
}

// TestPrometheusTakesConfiguration lets promtool read prometheus.yml, and the
// rules it names, as Prometheus does.
func TestPrometheusTakesConfiguration(t *testing.T) {
	succeeds(t, exec.Command("promtool", "check", "config", filepath.Join(root, "deploy/prometheus/prometheus.yml")))
}

func TestAlertsFire(t *testing.T) {
	succeeds(t, exec.Command("promtool", "test", "rules", filepath.Join(root, "deploy/prometheus/alerts_test.yml")))
}

// TestAlertsSayWhy checks that each alert tells the operator what is wrong, why
// that matters and what to do, and that its tests have it fire.
func TestAlertsSayWhy(t *testing.T) {
	all := alerts(t)
	if want := 6; len(all) != want {
		t.Errorf("%d alerts, want %d", len(all), want)
	}
	tests := string(read(t, "deploy/prometheus/alerts_test.yml"))
	for _, a := range all {
		if s := a.Labels["severity"]; s != "page" && s != "ticket" {
			t.Errorf("%s: severity %q, want page or ticket", a.Name, s)
		}
		for _, name := range []string{"summary", "reason", "action"} {
			if a.Annotations[name] == "" {
				t.Errorf("%s: no %s", a.Name, name)
			}
		}
		if !strings.Contains(tests, `alertname="`+a.Name+`"`) {
			t.Errorf("%s: no test has it fire", a.Name)
		}
	}
}
