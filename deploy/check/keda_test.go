package check

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// Of KEDA only the definition of a ScaledObject and the parameters of two scalers
// are looked at, as text: its Go types bring all of client-go with them, which
// takes more than a minute to build, and say less.
const (
	keda    = "github.com/kedacore/keda/v2@v2.21.0"
	kedaSum = "h1:R6z2HZvstK4RLUMxroNACzBj74xGxt3kG59b5Xc+Xps="
)

// kedaFile returns a file of KEDA's source.
func kedaFile(t *testing.T, path string) []byte {
	t.Helper()
	var module struct{ Dir, Sum string }
	out := succeeds(t, exec.Command("go", "mod", "download", "-json", keda))
	if err := json.Unmarshal([]byte(out), &module); err != nil {
		t.Fatal(err)
	}
	if module.Sum != kedaSum {
		t.Fatalf("%s has the sum %s, want %s", keda, module.Sum, kedaSum)
	}
	text, err := os.ReadFile(filepath.Join(module.Dir, path))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// scaledObject is what the tests look at; the definition has all of it.
type scaledObject struct {
	meta.TypeMeta   `json:",inline"`
	meta.ObjectMeta `json:"metadata"`
	Spec            scaling `json:"spec"`
}

type scaling struct {
	Target   struct{ Name string } `json:"scaleTargetRef"`
	Triggers []trigger             `json:"triggers"`
}

type trigger struct {
	Type     string            `json:"type"`
	Metadata map[string]string `json:"metadata"`
}

// decodeScaledObject decodes text, after it has checked it against KEDA's
// definition.
func decodeScaledObject(t *testing.T, text []byte) *scaledObject {
	t.Helper()
	var object any
	if err := json.Unmarshal(text, &object); err != nil {
		t.Fatal(err)
	}
	if err := scaledObjectSchema(t).Validate(object); err != nil {
		t.Errorf("%s\nas a ScaledObject: %v", indent(text), err)
	}
	s := new(scaledObject)
	if err := json.Unmarshal(text, s); err != nil {
		t.Fatal(err)
	}
	return s
}

// scaledObjectSchema returns the schema of the definition, in a form that permits
// nothing but what it names.
func scaledObjectSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	var definition struct {
		Spec struct {
			Versions []struct {
				Schema struct {
					OpenAPI map[string]any `json:"openAPIV3Schema"`
				} `json:"schema"`
			} `json:"versions"`
		} `json:"spec"`
	}
	if err := yaml.Unmarshal(kedaFile(t, "config/crd/bases/keda.sh_scaledobjects.yaml"), &definition); err != nil {
		t.Fatal(err)
	}
	schema := definition.Spec.Versions[0].Schema.OpenAPI
	closed(schema)
	// Any object has metadata, which Kubernetes checks by itself.
	schema["properties"].(map[string]any)["metadata"] = true

	const name = "scaledobject.json"
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name, schema); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// closed forbids, in each object of a schema, properties it does not name.
func closed(schema any) {
	switch s := schema.(type) {
	case []any:
		for _, v := range s {
			closed(v)
		}
	case map[string]any:
		_, named := s["properties"]
		if _, said := s["additionalProperties"]; named && !said {
			s["additionalProperties"] = false
		}
		for _, v := range s {
			closed(v)
		}
	}
}

// scalers are the sources of the triggers' types.
var scalers = map[string]string{
	"prometheus":     "pkg/scalers/prometheus_scaler.go",
	"nats-jetstream": "pkg/scalers/nats_jetstream_scaler.go",
}

var scalerParameter = regexp.MustCompile("`keda:\"name=([A-Za-z]+),(.*)\"`")

// checkParameters checks that a scaler knows the parameters of a trigger, and
// that those it cannot do without are there.
func checkParameters(t *testing.T, tr trigger) {
	t.Helper()
	var known []string
	for _, m := range scalerParameter.FindAllStringSubmatch(string(kedaFile(t, scalers[tr.Type])), -1) {
		name, rest := m[1], m[2]
		known = append(known, name)
		needed := !strings.Contains(rest, "optional") && !strings.Contains(rest, "default=")
		if _, ok := tr.Metadata[name]; needed && !ok {
			t.Errorf("trigger %s has no %s", tr.Type, name)
		}
	}
	for name := range tr.Metadata {
		if !slices.Contains(known, name) {
			t.Errorf("trigger %s: unknown parameter %s", tr.Type, name)
		}
	}
}

func TestScaledObject(t *testing.T) {
	m := kustomize(t, "deploy/kubernetes/overlays/production")
	if len(m.ScaledObjects) != 1 {
		t.Fatalf("%d ScaledObjects, want 1", len(m.ScaledObjects))
	}
	spec := m.ScaledObjects[0].Spec
	target := m.Deployments[spec.Target.Name]
	if target == nil || target.Spec.Replicas != nil {
		t.Errorf("%s is no Deployment, or one that says its replicas as well", spec.Target.Name)
	}
	triggers := map[string]trigger{}
	for _, tr := range spec.Triggers {
		triggers[tr.Type] = tr
		checkParameters(t, tr)
	}
	jobs := triggers["nats-jetstream"].Metadata
	if !regexp.MustCompile(`accounts {\s+` + jobs["account"] + ` {`).Match(read(t, "deploy/nats/auth.conf")) {
		t.Errorf("looks at account %q, which auth.conf does not have", jobs["account"])
	}
	if jobs["stream"] != constant(t, "StreamJobs") || jobs["consumer"] != constant(t, "ConsumerJobs") {
		t.Errorf("looks at consumer %q of stream %q, which are not those of the protocol", jobs["consumer"], jobs["stream"])
	}
}

// constant returns the value of a text constant of package wire.
func constant(t *testing.T, name string) string {
	t.Helper()
	pattern := regexp.MustCompile(`(?m)^\s+` + name + `\s+= "(.*)"`)
	for _, f := range files(t, "solver/wire/*.go") {
		if m := pattern.FindSubmatch(read(t, f)); m != nil {
			return string(m[1])
		}
	}
	t.Fatalf("package wire has no constant %s", name)
	return ""
}
