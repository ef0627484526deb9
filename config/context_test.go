package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// saveContext saves what the nats program would under a name.
func saveContext(t *testing.T, name, text string) {
	t.Helper()
	home := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", home)
	dir := filepath.Join(home, "nats", "context")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestWithContext has everything in the context, and some of it in variables as
// well, which go first.
func TestWithContext(t *testing.T) {
	const saved = `{"description": "d", "url": "nats://context", "user": "context", "password": "p", "token": "", "tls_first": true,
		"inbox_prefix": "_INBOX_context", "nsc": "", "jetstream_domain": "", "windows_ca_certs_match": null, "of tomorrow": 1}`
	context := NATS{URL: "nats://context", User: "context", Password: "p", TLSFirst: true, Inbox: "_INBOX_context"}
	for _, c := range []struct {
		name    string
		environ map[string]string
		want    func(*NATS)
	}{
		{"nothing set", nil, func(*NATS) {}},
		{"the server with the prefix", map[string]string{"SUDOKU_NATS_URL": "nats://a", "NATS_URL": "nats://b"}, func(n *NATS) { *n = NATS{URL: "nats://a"} }},
		{"the server without", map[string]string{"NATS_URL": "nats://b"}, func(n *NATS) { *n = NATS{URL: "nats://b"} }},
		{"the user with the prefix", map[string]string{"SUDOKU_NATS_USER": "a", "NATS_USER": "b"}, func(n *NATS) { n.User, n.Password = "a", "" }},
		{"the user without", map[string]string{"NATS_USER": "b", "NATS_PASSWORD": "q"}, func(n *NATS) { n.User, n.Password = "b", "q" }},
		{"another way in", map[string]string{"NATS_TOKEN_FILE": "f"}, func(n *NATS) { n.User, n.Password, n.TokenFile = "", "", "f" }},
		{"the inboxes with the prefix", map[string]string{"SUDOKU_NATS_INBOX": "a", "NATS_INBOX": "b"}, func(n *NATS) { n.Inbox = "a" }},
		{"the inboxes without", map[string]string{"NATS_INBOX": "b"}, func(n *NATS) { n.Inbox = "b" }},
		{"certificates", map[string]string{"NATS_CA": "c", "NATS_CERT": "d", "NATS_KEY": "e"}, func(n *NATS) { n.CA, n.Cert, n.Key = "c", "d", "e" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			setenv(t, c.environ)
			saveContext(t, "saved", saved)
			want := context
			c.want(&want)
			loaded, err := Load()
			if err != nil {
				t.Fatal(err)
			}
			if got, err := loaded.WithContext("saved"); err != nil || got != want {
				t.Errorf("WithContext with %v = %+v, %v, want %+v", c.environ, got, err, want)
			}
			if again, err := Load(); err != nil || again != loaded {
				t.Errorf("Load() = %+v, %v, want %+v, for it does not look at contexts", again, err, loaded)
			}
		})
	}
}

func TestContextFiles(t *testing.T) {
	_, server := tlsServer(t, "")
	dir := filepath.Dir(server.Cert)
	t.Setenv("HOME", dir)
	t.Setenv("CERTS", dir)
	saveContext(t, "saved", fmt.Sprintf(`{"ca": "~/cert.pem", "cert": "$CERTS/cert.pem", "key": %q}`, server.Key))
	want := NATS{URL: "nats://127.0.0.1:4222", CA: server.CA, Cert: server.Cert, Key: server.Key}
	if got, err := (NATS{}).WithContext("saved"); err != nil || got != want {
		t.Errorf("WithContext = %+v, %v, want %+v", got, err, want)
	}
}

func TestContextErrors(t *testing.T) {
	for _, c := range []struct{ name, context, text, want string }{
		{"absent", "other", `{}`, "no such file"},
		{"no name", "", `{}`, "not a name of a context"},
		{"a path", "../saved", `{}`, "not a name of a context"},
		{"not JSON", "saved", `{"password": "hunter2"`, "not JSON"},
		{"of another type", "saved", `{"url": 1, "password": "hunter2"}`, "not JSON"},
		{"too long", "saved", strings.Repeat(" ", maxContext) + "{}", "more than 65536 bytes"},
		{"not a URL", "saved", `{"url": "nats://u:hunter2@a:port"}`, "url: not a URL"},
		{"two ways in", "saved", `{"user": "u", "creds": "c"}`, "not several"},
		{"a file that is not there", "saved", `{"creds": "/absent/creds"}`, "creds: "},
		{"a key alone", "saved", `{"key": "k"}`, "key: a key without"},
		{"a secret elsewhere", "saved", `{"user": "u", "password": "op://vault/nats/hunter2"}`, "password: a reference"},
		{"credentials of nsc", "saved", `{"nsc": "nsc://o/a/u"}`, "nsc is not supported"},
		{"a proxy", "saved", `{"socks_proxy": "socks5://a"}`, "socks_proxy is not supported"},
		{"a domain", "saved", `{"jetstream_domain": "hub"}`, "jetstream_domain is not supported"},
	} {
		t.Run(c.name, func(t *testing.T) {
			setenv(t, nil)
			saveContext(t, "saved", c.text)
			got, err := NATS{}.WithContext(c.context)
			checkError(t, "WithContext", err, "context "+c.context, c.want)
			if got != (NATS{}) || strings.Contains(fmt.Sprint(err), "hunter2") {
				t.Errorf("WithContext = %+v, %v, want the zero NATS, and no secret", got, err)
			}
		})
	}
}
