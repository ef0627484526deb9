package config

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"
)

// setenv makes the variables of t the only ones of ours.
func setenv(t *testing.T, environ map[string]string) {
	t.Helper()
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, "SUDOKU_") || strings.HasPrefix(name, "NATS_") {
			t.Setenv(name, "")
			os.Unsetenv(name)
		}
	}
	for name, value := range environ {
		t.Setenv(name, value)
	}
}

var defaults = Config{
	Worker: Worker{Timeout: 10 * time.Second, Backlog: 65536},
	Engine: "auto",
	Log:    Log{Format: "text", Level: "info"},
}

func TestLoad(t *testing.T) {
	for _, c := range []struct {
		name    string
		environ map[string]string
		want    func(*Config)
	}{
		{"nothing set", nil, func(*Config) {}},
		{"the name with the prefix", map[string]string{"SUDOKU_NATS_URL": "nats://a", "NATS_URL": "nats://b"}, func(c *Config) { c.URL = "nats://a" }},
		{"the name without", map[string]string{"NATS_URL": "nats://b"}, func(c *Config) { c.URL = "nats://b" }},
		{"empty is not set", map[string]string{"SUDOKU_NATS_URL": "", "NATS_URL": "nats://b", "SUDOKU_WORKER_TIMEOUT": "", "SUDOKU_LOG_LEVEL": "", "SUDOKU_UNKNOWN": ""}, func(c *Config) { c.URL = "nats://b" }},
		{"only the connection has names without", map[string]string{"LOG_LEVEL": "debug", "WORKER_BACKLOG": "3", "URL": "nats://a", "BACKLOG": "3"}, func(*Config) {}},
		{"several servers", map[string]string{"NATS_URL": "nats://a:4222, tls://b"}, func(c *Config) { c.URL = "nats://a:4222, tls://b" }},
		{"a server without scheme", map[string]string{"NATS_URL": "127.0.0.1:4222"}, func(c *Config) { c.URL = "127.0.0.1:4222" }},
		{"least", map[string]string{"SUDOKU_WORKER_CONCURRENCY": "0", "SUDOKU_WORKER_TIMEOUT": "1ms", "SUDOKU_WORKER_BACKLOG": "1"}, func(c *Config) { c.Worker = Worker{0, time.Millisecond, 1} }},
		{"most", map[string]string{"SUDOKU_WORKER_CONCURRENCY": "1024", "SUDOKU_WORKER_TIMEOUT": "24h", "SUDOKU_WORKER_BACKLOG": "1048576"}, func(c *Config) { c.Worker = Worker{1024, 24 * time.Hour, 1 << 20} }},
		{"engine", map[string]string{"SUDOKU_ENGINE": "avx2"}, func(c *Config) { c.Engine = "avx2" }},
		{"log", map[string]string{"SUDOKU_LOG_FORMAT": "json", "SUDOKU_LOG_LEVEL": "debug"}, func(c *Config) { c.Log = Log{"json", "debug"} }},
		{"HTTP port", map[string]string{"SUDOKU_HTTP_ADDR": "9090"}, func(c *Config) { c.HTTP.Addr = "9090" }},
		{"password", map[string]string{"NATS_USER": "u", "NATS_PASSWORD": "p"}, func(c *Config) { c.User, c.Password = "u", "p" }},
		{"secrets in files", map[string]string{"NATS_USER": "u", "NATS_PASSWORD_FILE": "f"}, func(c *Config) { c.User, c.PasswordFile = "u", "f" }},
		{"TLS first", map[string]string{"SUDOKU_NATS_TLS_FIRST": "true"}, func(c *Config) { c.TLSFirst = true }},
		{"inboxes", map[string]string{"NATS_INBOX": "_INBOX_worker"}, func(c *Config) { c.Inbox = "_INBOX_worker" }},
		{"service links of Kubernetes", map[string]string{
			"SUDOKU_SERVICE_HOST":             "10.0.0.1",
			"SUDOKU_SERVICE_PORT":             "4222",
			"SUDOKU_SERVICE_PORT_CLIENT":      "4222",
			"SUDOKU_PORT":                     "tcp://10.0.0.1:4222",
			"SUDOKU_PORT_4222_TCP":            "tcp://10.0.0.1:4222",
			"SUDOKU_PORT_4222_TCP_PROTO":      "tcp",
			"SUDOKU_PORT_4222_TCP_PORT":       "4222",
			"SUDOKU_PORT_4222_TCP_ADDR":       "10.0.0.1",
			"SUDOKU_WORKER_SERVICE_HOST":      "10.0.0.2",
			"SUDOKU_WORKER_SERVICE_PORT_HTTP": "8080",
			"SUDOKU_WORKER_PORT":              "tcp://10.0.0.2:8080",
			"SUDOKU_WORKER_PORT_8080_TCP":     "tcp://10.0.0.2:8080",
		}, func(*Config) {}},
	} {
		t.Run(c.name, func(t *testing.T) {
			setenv(t, c.environ)
			want := defaults
			c.want(&want)
			got, err := Load()
			if err != nil || got != want {
				t.Errorf("Load() with %v = %+v, %v, want %+v", c.environ, got, err, want)
			}
		})
	}
}

func TestLoadErrors(t *testing.T) {
	for _, c := range []struct {
		name     string
		environ  map[string]string
		variable string
		text     string
	}{
		{"misspelt", map[string]string{"SUDOKU_NATS_URI": "nats://a"}, "SUDOKU_NATS_URI", "did you mean SUDOKU_NATS_URL?"},
		{"another one misspelt", map[string]string{"SUDOKU_WORKER_TIMOUT": "1s"}, "SUDOKU_WORKER_TIMOUT", "did you mean SUDOKU_WORKER_TIMEOUT?"},
		{"a word left out", map[string]string{"SUDOKU_CONCURRENCY": "2"}, "SUDOKU_CONCURRENCY", "did you mean SUDOKU_WORKER_CONCURRENCY?"},
		{"port that is not a service link", map[string]string{"SUDOKU_NATS_PORT": "4222"}, "SUDOKU_NATS_PORT", "no such variable"},
		{"not a number", map[string]string{"SUDOKU_WORKER_CONCURRENCY": "two"}, "SUDOKU_WORKER_CONCURRENCY", `"two" is not a whole number`},
		{"too big for a number", map[string]string{"SUDOKU_WORKER_BACKLOG": "99999999999999999999"}, "SUDOKU_WORKER_BACKLOG", "is not a whole number"},
		{"no unit", map[string]string{"SUDOKU_WORKER_TIMEOUT": "10"}, "SUDOKU_WORKER_TIMEOUT", `"10" is not a duration such as 10s`},
		{"below the range", map[string]string{"SUDOKU_WORKER_CONCURRENCY": "-1"}, "SUDOKU_WORKER_CONCURRENCY", "-1 is not from 0 to 1024"},
		{"above the range", map[string]string{"SUDOKU_WORKER_CONCURRENCY": "1025"}, "SUDOKU_WORKER_CONCURRENCY", "1025 is not from 0 to 1024"},
		{"no time", map[string]string{"SUDOKU_WORKER_TIMEOUT": "0s"}, "SUDOKU_WORKER_TIMEOUT", "0s is not from 1ms to 24h0m0s"},
		{"too long", map[string]string{"SUDOKU_WORKER_TIMEOUT": "24h1ms"}, "SUDOKU_WORKER_TIMEOUT", "is not from"},
		{"no backlog", map[string]string{"SUDOKU_WORKER_BACKLOG": "0"}, "SUDOKU_WORKER_BACKLOG", "0 is not from 1 to 1048576"},
		{"engine", map[string]string{"SUDOKU_ENGINE": "sse"}, "SUDOKU_ENGINE", `"sse" is not one of ["auto" "avx512" "avx2" "scalar"]`},
		{"form", map[string]string{"SUDOKU_LOG_FORMAT": "xml"}, "SUDOKU_LOG_FORMAT", `"xml" is not one of ["text" "json"]`},
		{"level", map[string]string{"SUDOKU_LOG_LEVEL": "verbose"}, "SUDOKU_LOG_LEVEL", `"verbose" is not one of`},
		{"HTTP host without a port", map[string]string{"SUDOKU_HTTP_ADDR": "localhost"}, "SUDOKU_HTTP_ADDR", `"localhost" is not a port`},
		{"scheme", map[string]string{"NATS_URL": "http://a"}, "NATS_URL", `scheme "http", want nats, tls, ws or wss`},
		{"scheme of the second server", map[string]string{"SUDOKU_NATS_URL": "nats://a,ftp://b"}, "SUDOKU_NATS_URL", `scheme "ftp"`},
		{"no host", map[string]string{"NATS_URL": "nats://:4222"}, "NATS_URL", "without a host"},
		{"port of a URL", map[string]string{"NATS_URL": "nats://a:port"}, "NATS_URL", "not a URL"},
		{"a port too large", map[string]string{"NATS_URL": "nats://a, nats://b:65536"}, "NATS_URL", "port 65536, want one from 1 to 65535"},
		{"port 0", map[string]string{"NATS_URL": "nats://a:0"}, "NATS_URL", "port 0"},
		{"only one websocket", map[string]string{"NATS_URL": "nats://a,wss://b"}, "NATS_URL", "want all alike"},
		{"an empty server", map[string]string{"NATS_URL": "nats://a,"}, "NATS_URL", "without a host"},
		{"two ways in", map[string]string{"NATS_CREDS": "f", "NATS_USER": "u"}, "NATS_CREDS", "not several"},
		{"password alone", map[string]string{"NATS_PASSWORD": "p"}, "NATS_PASSWORD", "without NATS_USER"},
		{"password in a file alone", map[string]string{"NATS_PASSWORD_FILE": "f"}, "NATS_PASSWORD_FILE", "without NATS_USER"},
		{"two passwords", map[string]string{"NATS_USER": "u", "NATS_PASSWORD": "p", "NATS_PASSWORD_FILE": "f"}, "NATS_PASSWORD_FILE", "not both"},
		{"two tokens", map[string]string{"NATS_TOKEN": "t", "NATS_TOKEN_FILE": "f"}, "SUDOKU_NATS_CREDS", "not several"},
		{"neither true nor false", map[string]string{"SUDOKU_NATS_TLS_FIRST": "perhaps"}, "SUDOKU_NATS_TLS_FIRST", `"perhaps" is not true or false`},
		{"certificate alone", map[string]string{"SUDOKU_NATS_CERT": "f"}, "SUDOKU_NATS_CERT", "without NATS_KEY"},
		{"inboxes with a wildcard", map[string]string{"NATS_INBOX": "_INBOX.*"}, "NATS_INBOX", "not the beginning of a subject"},
		{"inboxes that end with a dot", map[string]string{"NATS_INBOX": "_INBOX."}, "NATS_INBOX", "not the beginning of a subject"},
		{"inboxes with a space", map[string]string{"SUDOKU_NATS_INBOX": "my inbox"}, "SUDOKU_NATS_INBOX", "not the beginning of a subject"},
		{"key alone", map[string]string{"NATS_KEY": "f"}, "NATS_KEY", "without NATS_CERT"},
	} {
		t.Run(c.name, func(t *testing.T) {
			setenv(t, c.environ)
			got, err := Load()
			checkError(t, "Load()", err, c.variable, c.text)
			if got != (Config{}) {
				t.Errorf("Load() = %+v with an error, want the zero Config", got)
			}
		})
	}
}

// checkError reports an error that does not name the variable and hold text, on
// one line.
func checkError(t *testing.T, call string, err error, variable, text string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Name != variable || !strings.Contains(e.Text, text) {
		t.Errorf("%s = %v, want an error of %s with %q", call, err, variable, text)
		return
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("%s = %q, want one line", call, err)
	}
}

func TestVersion(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"v1.2.3", "1.2.3"},
		{"v0.0.0-20250102030405-0123456789ab+dirty", "0.0.0-20250102030405-0123456789ab+dirty"},
		{"(devel)", "0.0.0-devel"},
		{"", "0.0.0-devel"},
	} {
		if got := semantic(c.in); got != c.want {
			t.Errorf("semantic(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}
