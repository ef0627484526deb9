package config

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

func TestSecretsDoNotShow(t *testing.T) {
	const secret = "hunter2"
	t.Run("printed", func(t *testing.T) {
		c := Config{NATS: NATS{Password: secret, Token: secret}}
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
			if got := fmt.Sprintf(verb, c); strings.Contains(got, secret) {
				t.Errorf("Sprintf(%s) = %s, want no secret", verb, got)
			}
		}
		for _, form := range []string{"text", "json"} {
			var b bytes.Buffer
			Log{Format: form}.Logger(&b).Info("", "config", c, "password", c.Password)
			if got := b.String(); strings.Contains(got, secret) || !strings.Contains(got, hidden) {
				t.Errorf("log of form %s = %s, want no secret", form, got)
			}
		}
	})
	for _, url := range []string{
		"nats://u:hunter2@a:port",
		"nats://hunter2@",
		"http://u:hunter2@a",
		"nats://u:hunter2@a, nats://hunter2@%zz",
		"nats://u:hunter2\x7f@a",
		"//u:hunter2@:4222",
		"u:hunter2@a:b:c",
		"nats://u:hunter2#x@a",
		"nats://u:hunter2/x@a",
	} {
		t.Run("in an error of a URL", func(t *testing.T) {
			setenv(t, map[string]string{"NATS_URL": url})
			if _, err := Load(); err == nil || strings.Contains(err.Error(), secret) {
				t.Errorf("Load() with NATS_URL=%s = %v, want an error without the secret", url, err)
			}
		})
	}
}

func TestReadSecret(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       Secret
		wantErr    string
	}{
		{"a word", "hunter2", "hunter2", ""},
		{"a line", "hunter2\n", "hunter2", ""},
		{"a line of Windows", "hunter2\r\n", "hunter2", ""},
		{"with spaces", " hunter 2 \n", " hunter 2 ", ""},
		{"as long as can be", strings.Repeat("x", maxSecret-1) + "\n", Secret(strings.Repeat("x", maxSecret-1)), ""},
		{"too long", strings.Repeat("x", maxSecret+1), "", "more than 4096 bytes"},
		{"nothing", "", "", "is empty"},
		{"an empty line", "\n", "", "is empty"},
		{"several lines", "hunter2\nhunter3\n", "", "more than one line"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := readSecret(file(t, "secret", []byte(c.text)))
			if got != c.want || (err == nil) != (c.wantErr == "") {
				t.Fatalf("readSecret = %q, %v, want %q, %s", string(got), err, string(c.want), c.wantErr)
			}
			if err != nil && (!strings.Contains(err.Error(), c.wantErr) || strings.Contains(err.Error(), "hunter")) {
				t.Errorf("readSecret = %v, want an error with %q, without the secret", err, c.wantErr)
			}
		})
	}
}
