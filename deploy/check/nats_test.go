package check

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// conf returns the absolute path of a file of deploy/nats.
func conf(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(root, "deploy/nats", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// certificates returns a directory that holds, in tls, what deploy/nats/certificates
// makes for servers on the loopback interface.
func certificates(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	makeCertificates(t, filepath.Join(dir, "tls"))
	return dir
}

func makeCertificates(t *testing.T, dir string) {
	t.Helper()
	succeeds(t, exec.Command(conf(t, "certificates"), dir, "127.0.0.1"))
}

// TestNATSServerTakesConfiguration gives each server of docker-compose.yml its
// command line, and lets it say whether the configuration is valid.
func TestNATSServerTakesConfiguration(t *testing.T) {
	dir := certificates(t)
	servers := 0
	for name, s := range compose(t, "*").Services {
		if !strings.HasPrefix(s.Image, "nats:") {
			continue
		}
		servers++
		t.Run(name, func(t *testing.T) {
			args := []string{"-t"}
			for _, arg := range s.Command {
				if filepath.Ext(arg) == ".conf" {
					arg = conf(t, filepath.Base(arg))
				}
				args = append(args, arg)
			}
			c := program("nats-server", args...)
			c.Dir = dir
			succeeds(t, c)
		})
	}
	if want := 4; servers != want {
		t.Errorf("%d NATS servers, want %d", servers, want)
	}
}

func TestConfigurationsAreAllUsed(t *testing.T) {
	used := map[string]bool{"common.conf": true, "auth.conf": true} // by the others
	for _, s := range compose(t, "*").Services {
		for _, arg := range s.Command {
			used[filepath.Base(arg)] = true
		}
	}
	for _, f := range files(t, "deploy/nats/*.conf") {
		if !used[filepath.Base(f)] {
			t.Errorf("%s is used by no server of docker-compose.yml", f)
		}
	}
}

func TestCertificates(t *testing.T) {
	dir := certificates(t)
	before := contents(t, dir)
	for _, name := range append(users(t), "ca", "server") {
		if before[name+".crt"] == "" || before[name+".key"] == "" {
			t.Errorf("%s has no certificate or no key", name)
		}
	}
	makeCertificates(t, filepath.Join(dir, "tls"))
	if !maps.Equal(contents(t, dir), before) {
		t.Error("a second run changes what the first has made")
	}
}

// users returns the names of the users in auth.conf.
func users(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, m := range regexp.MustCompile(`{ user: (\w+)`).FindAllSubmatch(read(t, "deploy/nats/auth.conf"), -1) {
		all = append(all, string(m[1]))
	}
	if len(all) == 0 {
		t.Fatal("auth.conf has no users")
	}
	return all
}

// contents returns the files of dir/tls by name.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	entries, err := os.ReadDir(filepath.Join(dir, "tls"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, "tls", e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(b)
	}
	return all
}
