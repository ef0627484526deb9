package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sudoku/worker/local/natstest"
)

// A worker that is refused says why, and nothing of its secrets, however much it logs.
func TestSecretsAreNotSaid(t *testing.T) {
	t.Parallel()
	const secret = "hunter2"
	file := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte(secret), 0o600); err != nil {
		t.Fatal(err)
	}
	server := natstest.Start(t, "authorization { user: u, password: right }")
	asSecret := strings.Replace(server.URL, "://", "://u:"+secret+"@", 1)
	for name, environ := range map[string][]string{
		"password":      {"NATS_URL=" + server.URL, "NATS_USER=u", "NATS_PASSWORD=" + secret},
		"password file": {"NATS_URL=" + server.URL, "NATS_USER=u", "NATS_PASSWORD_FILE=" + file},
		"token":         {"NATS_URL=" + server.URL, "NATS_TOKEN=" + secret},
		"token file":    {"NATS_URL=" + server.URL, "NATS_TOKEN_FILE=" + file},
		"URL":           {"NATS_URL=" + asSecret},
		"one of several URLs, and headers of the exporter": {"NATS_URL=nats://127.0.0.1:1," + asSecret,
			"OTEL_EXPORTER_OTLP_ENDPOINT=http://u:" + secret + "@127.0.0.1:1", "OTEL_EXPORTER_OTLP_HEADERS=authorization=" + secret},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, form := range []string{"text", "json"} {
				c := exec.Command("worker")
				c.Env = append(os.Environ(), append(environ, "SUDOKU_LOG_LEVEL=debug", "SUDOKU_LOG_FORMAT="+form)...)
				out, _ := c.CombinedOutput()
				if got := c.ProcessState.ExitCode(); got != 4 || !strings.Contains(string(out), "Authorization Violation") {
					t.Errorf("exit status %d, want 4, and to hear of the violation:\n%s", got, out)
				}
				if strings.Contains(string(out), secret) {
					t.Errorf("the worker says the secret:\n%s", out)
				}
			}
		})
	}
}
