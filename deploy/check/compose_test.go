package check

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
)

// compose loads docker-compose.yml as docker compose does, which is strict about
// what it does not know.
func compose(t *testing.T, profiles ...string) *types.Project {
	t.Helper()
	o, err := cli.NewProjectOptions([]string{filepath.Join(root, "docker-compose.yml")},
		cli.WithName("sudoku"), cli.WithProfiles(profiles), cli.WithResolvedPaths(true), cli.WithConsistency(true))
	if err != nil {
		t.Fatal(err)
	}
	p, err := o.LoadProject(context.Background())
	if err != nil {
		t.Fatalf("docker-compose.yml with profiles %q: %v", profiles, err)
	}
	return p
}

func TestComposeProfiles(t *testing.T) {
	for _, c := range []struct {
		profiles []string
		want     []string
	}{
		{nil, []string{"nats", "worker"}},
		{[]string{"producer"}, []string{"nats", "producer", "worker"}},
		{[]string{"cluster"}, []string{"cluster-worker", "nats", "nats-1", "nats-2", "nats-3", "worker"}},
		{[]string{"cluster-producer"}, []string{"cluster-producer", "nats", "worker"}},
		{[]string{"observability"}, []string{"grafana", "nats", "prometheus", "worker"}},
		{[]string{"*"}, []string{"cluster-producer", "cluster-worker", "grafana", "nats", "nats-1", "nats-2", "nats-3", "producer", "prometheus", "worker"}},
	} {
		t.Run(strings.Join(c.profiles, "+"), func(t *testing.T) {
			if got := slices.Sorted(maps.Keys(compose(t, c.profiles...).Services)); !slices.Equal(got, c.want) {
				t.Errorf("services = %q, want %q", got, c.want)
			}
		})
	}
}

func TestComposeFilesExist(t *testing.T) {
	tls, err := filepath.Abs(filepath.Join(root, "deploy/nats/tls"))
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range compose(t, "*").Services {
		for _, v := range s.Volumes {
			if v.Type != types.VolumeTypeBind || strings.HasPrefix(v.Source, tls) { // deploy/nats/certificates makes those
				continue
			}
			if _, err := os.Stat(v.Source); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestComposeWorkers(t *testing.T) {
	project := compose(t, "*")
	for _, name := range []string{"worker", "cluster-worker"} {
		s := project.Services[name]
		checkEnvironment(t, name, slices.Sorted(maps.Keys(s.Environment)))
		if s.StopGracePeriod == nil {
			t.Fatalf("%s: no stop_grace_period", name)
		}
		checkGrace(t, name, time.Duration(*s.StopGracePeriod))
	}
}

func TestComposePublishesOnLoopbackOnly(t *testing.T) {
	for name, s := range compose(t, "*").Services {
		for _, p := range s.Ports {
			if p.HostIP != "127.0.0.1" {
				t.Errorf("%s: port %s is published on %q, want 127.0.0.1", name, p.Published, p.HostIP)
			}
		}
	}
}
