package check

import (
	"net/url"
	"slices"
	"strconv"
	"testing"

	core "k8s.io/api/core/v1"
)

// collector are the labels that the Helm chart of the OpenTelemetry collector gives
// its pods.
var collector = map[string]string{"app.kubernetes.io/name": "opentelemetry-collector"}

// TestTracedWorkersReachTheCollector checks that workers that are told to send
// spans are permitted to, and the others are not.
func TestTracedWorkersReachTheCollector(t *testing.T) {
	m := kustomize(t, traced)
	_, c := m.worker(t)
	i := slices.IndexFunc(c.Env, func(e core.EnvVar) bool { return e.Name == "OTEL_EXPORTER_OTLP_ENDPOINT" })
	if i < 0 {
		t.Fatal("the worker is not told where the collector is")
	}
	endpoint, err := url.Parse(c.Env[i].Value)
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.Atoi(endpoint.Port())
	if err != nil || endpoint.Scheme != "http" {
		t.Fatalf("OTEL_EXPORTER_OTLP_ENDPOINT=%s, want http and a port", endpoint)
	}
	checkReaches(t, m.Policies, collector, port)
	for _, p := range kustomize(t, "deploy/kubernetes/overlays/production").Policies {
		for _, e := range p.Spec.Egress {
			for _, peer := range e.To {
				if selects(peer.PodSelector, collector) {
					t.Errorf("policy %s lets workers reach a collector that they send nothing to", p.Name)
				}
			}
		}
	}
}
