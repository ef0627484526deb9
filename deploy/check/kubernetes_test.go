package check

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// kustomizations are the directories that an operator may apply.
var kustomizations = []string{
	"deploy/kubernetes/base",
	"deploy/kubernetes/overlays/trial",
	"deploy/kubernetes/overlays/production",
	traced,
}

// traced is the one whose workers send spans.
const traced = "deploy/kubernetes/overlays/traced"

// manifests are the objects of a kustomization that the tests look at.
type manifests struct {
	Deployments   map[string]*apps.Deployment
	Policies      []*networking.NetworkPolicy
	Budgets       []*policy.PodDisruptionBudget
	ConfigMaps    map[string]*core.ConfigMap
	Services      []*core.Service
	ScaledObjects []*scaledObject
}

// kustomize builds a kustomization as kubectl apply --kustomize does, and decodes
// each object into the type that Kubernetes has for it. A field that the type does
// not have is an error.
func kustomize(t *testing.T, dir string) manifests {
	t.Helper()
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), filepath.Join(root, dir))
	if err != nil {
		t.Fatalf("kustomize build %s: %v", dir, err)
	}
	m := manifests{Deployments: map[string]*apps.Deployment{}, ConfigMaps: map[string]*core.ConfigMap{}}
	for _, r := range built.Resources() {
		text, err := r.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		switch kind := r.GetApiVersion() + " " + r.GetKind(); kind {
		case "apps/v1 Deployment":
			m.Deployments[r.GetName()] = strict[apps.Deployment](t, text)
		case "networking.k8s.io/v1 NetworkPolicy":
			m.Policies = append(m.Policies, strict[networking.NetworkPolicy](t, text))
		case "policy/v1 PodDisruptionBudget":
			m.Budgets = append(m.Budgets, strict[policy.PodDisruptionBudget](t, text))
		case "v1 ConfigMap":
			m.ConfigMaps[r.GetName()] = strict[core.ConfigMap](t, text)
		case "v1 Service":
			m.Services = append(m.Services, strict[core.Service](t, text))
		case "v1 Namespace":
			strict[core.Namespace](t, text)
		case "keda.sh/v1alpha1 ScaledObject":
			m.ScaledObjects = append(m.ScaledObjects, decodeScaledObject(t, text))
		default:
			t.Errorf("%s: no type for %s", dir, kind)
		}
	}
	return m
}

// strict decodes text into a T that has all its fields.
func strict[T any](t *testing.T, text []byte) *T {
	t.Helper()
	v := new(T)
	faults, err := kjson.UnmarshalStrict(text, v)
	if err != nil || len(faults) > 0 {
		t.Errorf("%s\nas %T: %v %v", indent(text), v, err, faults)
	}
	return v
}

func indent(text []byte) string {
	var b bytes.Buffer
	json.Indent(&b, text, "", "  ")
	return b.String()
}

// each runs a test on each of the kustomizations.
func each(t *testing.T, test func(*testing.T, manifests)) {
	for _, dir := range kustomizations {
		t.Run(filepath.Base(dir), func(t *testing.T) { test(t, kustomize(t, dir)) })
	}
}

// worker returns the worker's Deployment and its only container.
func (m manifests) worker(t *testing.T) (*apps.Deployment, core.Container) {
	t.Helper()
	d := m.Deployments["sudoku-worker"]
	if d == nil || len(d.Spec.Template.Spec.Containers) != 1 {
		t.Fatalf("no Deployment sudoku-worker with one container")
	}
	return d, d.Spec.Template.Spec.Containers[0]
}

func TestKubernetesWorker(t *testing.T) {
	each(t, func(t *testing.T, m manifests) {
		d, c := m.worker(t)
		var names []string
		for _, e := range c.Env {
			if !strings.HasPrefix(e.Name, "OTEL_") { // those are OpenTelemetry's
				names = append(names, e.Name)
			}
		}
		checkEnvironment(t, "sudoku-worker", names)
		checkGrace(t, "sudoku-worker", time.Duration(*d.Spec.Template.Spec.TerminationGracePeriodSeconds)*time.Second)
	})
}

// TestKubernetesProbes checks that the probes and Prometheus ask for the port on
// which the worker is told to listen, and that it listens to other machines.
func TestKubernetesProbes(t *testing.T) {
	each(t, func(t *testing.T, m manifests) {
		d, c := m.worker(t)
		port := c.Ports[0]
		i := slices.IndexFunc(c.Env, func(e core.EnvVar) bool { return e.Name == "SUDOKU_HTTP_ADDR" })
		if want := fmt.Sprintf("0.0.0.0:%d", port.ContainerPort); i < 0 || c.Env[i].Value != want {
			t.Errorf("SUDOKU_HTTP_ADDR is not %s, as port %s is", want, port.Name)
		}
		for path, probe := range map[string]*core.Probe{"/healthz": c.LivenessProbe, "/readyz": c.ReadinessProbe} {
			if probe.HTTPGet.Path != path || probe.HTTPGet.Port.String() != port.Name {
				t.Errorf("probe asks %s at port %v, want %s at %s", probe.HTTPGet.Path, &probe.HTTPGet.Port, path, port.Name)
			}
		}
		if got, want := d.Spec.Template.Annotations["prometheus.io/port"], strconv.Itoa(int(port.ContainerPort)); got != want {
			t.Errorf("Prometheus asks at port %s, want %s", got, want)
		}
	})
}

// TestKubernetesPodsAreRestricted checks what the Pod Security Standard
// "restricted" asks for, which the namespaces enforce, and some more.
func TestKubernetesPodsAreRestricted(t *testing.T) {
	each(t, func(t *testing.T, m manifests) {
		for name, d := range m.Deployments {
			p := d.Spec.Template.Spec
			if !*p.SecurityContext.RunAsNonRoot || p.SecurityContext.SeccompProfile.Type != core.SeccompProfileTypeRuntimeDefault {
				t.Errorf("%s: the pod may run as root, or without seccomp", name)
			}
			if *p.EnableServiceLinks || *p.AutomountServiceAccountToken {
				t.Errorf("%s: the pod gets service links or a token, and needs neither", name)
			}
			for _, c := range p.Containers {
				s := c.SecurityContext
				if *s.AllowPrivilegeEscalation || !*s.ReadOnlyRootFilesystem || !slices.Equal(s.Capabilities.Drop, []core.Capability{"ALL"}) {
					t.Errorf("%s: container %s may have privileges, or write to its image", name, c.Name)
				}
			}
		}
	})
}

// TestKubernetesSelectors checks that what is meant for the workers selects them,
// and that the policy lets them reach NATS, where that is in the same
// kustomization.
func TestKubernetesSelectors(t *testing.T) {
	each(t, func(t *testing.T, m manifests) {
		d, _ := m.worker(t)
		worker := d.Spec.Template.Labels
		for name, d := range m.Deployments {
			checkSelects(t, "Deployment "+name, d.Spec.Selector, d.Spec.Template.Labels)
		}
		for _, b := range m.Budgets {
			checkSelects(t, "PodDisruptionBudget "+b.Name, b.Spec.Selector, worker)
		}
		for _, p := range m.Policies {
			checkSelects(t, "NetworkPolicy "+p.Name, &p.Spec.PodSelector, worker)
		}
		if nats := m.Deployments["nats"]; nats != nil {
			checkReaches(t, m.Policies, nats.Spec.Template.Labels, 4222)
		}
		for _, s := range m.Services {
			checkSelects(t, "Service "+s.Name, &meta.LabelSelector{MatchLabels: s.Spec.Selector}, m.Deployments[s.Name].Spec.Template.Labels)
		}
		for _, c := range d.Spec.Template.Spec.TopologySpreadConstraints {
			checkSelects(t, "topology", c.LabelSelector, worker)
		}
	})
}

// checkReaches checks that one of the policies lets workers reach pods with these
// labels at a TCP port, in any namespace.
func checkReaches(t *testing.T, policies []*networking.NetworkPolicy, pod map[string]string, port int) {
	t.Helper()
	for _, p := range policies {
		for _, e := range p.Spec.Egress {
			at := slices.ContainsFunc(e.Ports, func(q networking.NetworkPolicyPort) bool {
				return q.Port.IntValue() == port && (q.Protocol == nil || *q.Protocol == core.ProtocolTCP)
			})
			to := slices.ContainsFunc(e.To, func(peer networking.NetworkPolicyPeer) bool {
				return selects(peer.PodSelector, pod) && peer.NamespaceSelector != nil && len(peer.NamespaceSelector.MatchLabels) == 0
			})
			if at && to {
				return
			}
		}
	}
	t.Errorf("no policy lets workers reach %v at port %d", pod, port)
}

// selects reports whether a selector selects something, and the pod too.
func selects(selector *meta.LabelSelector, pod map[string]string) bool {
	s, err := meta.LabelSelectorAsSelector(selector)
	return err == nil && !s.Empty() && s.Matches(labels.Set(pod))
}

func checkSelects(t *testing.T, what string, selector *meta.LabelSelector, pod map[string]string) {
	t.Helper()
	if !selects(selector, pod) {
		t.Errorf("%s selects %v, want the pod with labels %v", what, selector, pod)
	}
}

// TestKubernetesMounts checks that each volume is there, and that a file the
// worker is told to read is in one.
func TestKubernetesMounts(t *testing.T) {
	each(t, func(t *testing.T, m manifests) {
		for name, d := range m.Deployments {
			p := d.Spec.Template.Spec
			volumes := map[string]bool{}
			for _, v := range p.Volumes {
				volumes[v.Name] = true
				if v.ConfigMap != nil && m.ConfigMaps[v.ConfigMap.Name] == nil {
					t.Errorf("%s: no ConfigMap %s", name, v.ConfigMap.Name)
				}
			}
			for _, c := range p.Containers {
				for _, mount := range c.VolumeMounts {
					if !volumes[mount.Name] {
						t.Errorf("%s: no volume %s", name, mount.Name)
					}
				}
				for _, e := range c.Env {
					if strings.HasPrefix(e.Value, "/") && !slices.ContainsFunc(c.VolumeMounts, func(mount core.VolumeMount) bool {
						return strings.HasPrefix(e.Value, mount.MountPath+"/")
					}) {
						t.Errorf("%s: %s=%s is in no volume", name, e.Name, e.Value)
					}
				}
			}
		}
	})
}
