package check

import (
	"debug/elf"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// instructions returns what the Dockerfile says, each as its words. It has
// neither continued lines nor quotes, which this does not understand.
func instructions(t *testing.T) [][]string {
	t.Helper()
	var all [][]string
	for line := range strings.Lines(string(read(t, "deploy/Dockerfile"))) {
		if words := strings.Fields(line); len(words) > 0 && !strings.HasPrefix(line, "#") {
			all = append(all, words)
		}
	}
	return all
}

// buildContext copies to dir what docker build sends of the repository: all but what
// .dockerignore names and, as in a fresh clone, what git ignores.
func buildContext(t *testing.T, dir string) {
	t.Helper()
	ignored := strings.Fields(string(read(t, ".dockerignore")))
	tracked := succeeds(t, exec.Command("git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard"))
	for file := range strings.Lines(tracked) {
		file = strings.TrimSuffix(file, "\n")
		if isIgnored(t, file, ignored) {
			continue
		}
		to := filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, read(t, file), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// isIgnored reports whether a pattern matches the file or a directory it is in.
// The patterns have no ** but in front, and no exceptions.
func isIgnored(t *testing.T, file string, patterns []string) bool {
	t.Helper()
	for ; file != "."; file = path.Dir(file) {
		for _, p := range patterns {
			name := file
			if rest, ok := strings.CutPrefix(p, "**/"); ok {
				p, name = rest, path.Base(file)
			}
			match, err := path.Match(p, name)
			if err != nil {
				t.Fatal(err)
			}
			if match {
				return true
			}
		}
	}
	return false
}

// TestDockerfileBuilds runs the commands of the Dockerfile without Docker, and
// checks that what the image is made of is there and needs nothing else.
func TestDockerfileBuilds(t *testing.T) {
	const version = "1.2.3"
	src, out := t.TempDir(), t.TempDir()
	buildContext(t, src)
	var copied []string
	for _, words := range instructions(t) {
		switch {
		case words[0] == "RUN":
			c := exec.Command("sh", "-c", strings.ReplaceAll(strings.Join(words[1:], " "), "/out/", out+"/"))
			c.Dir, c.Env = src, append(os.Environ(), "VERSION="+version)
			succeeds(t, c)
		case words[0] == "COPY" && words[1] == "--from=build":
			copied = append(copied, words[2:len(words)-1]...)
		}
	}
	programs := 0
	for _, file := range copied {
		if name, ok := strings.CutPrefix(file, "/out/"); ok {
			programs++
			checkStatic(t, filepath.Join(out, name))
			if got := succeeds(t, exec.Command(filepath.Join(out, name), "--version")); got != name+" "+version+"\n" {
				t.Errorf("%s --version prints %q, want %s", name, got, version)
			}
		}
	}
	if want := 2; programs != want {
		t.Errorf("the image has %d programs, want %d", programs, want)
	}
}

// checkStatic checks that a program asks for no loader and no libraries: the
// image has none.
func checkStatic(t *testing.T, program string) {
	t.Helper()
	f, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if slices.ContainsFunc(f.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP }) {
		t.Errorf("%s needs a loader", program)
	}
}

func TestImageRunsAsNobody(t *testing.T) {
	all := instructions(t)
	i := slices.IndexFunc(all, func(words []string) bool { return words[0] == "USER" })
	if i < 0 || slices.Contains([]string{"root", "0", "0:0"}, all[i][1]) {
		t.Errorf("the image runs as root")
	}
}

// TestDockerfileGo checks that the image that builds has the version of Go that
// go.mod asks for.
func TestDockerfileGo(t *testing.T) {
	version := strings.Fields(succeeds(t, exec.Command("go", "-C", root, "list", "-m", "-f", "{{.GoVersion}}")))[0]
	minor := strings.Join(strings.Split(version, ".")[:2], ".")
	if got, want := instructions(t)[0][1], "golang:"+minor+"-alpine"; got != want {
		t.Errorf("built in %s, want %s for go %s", got, want, version)
	}
}
