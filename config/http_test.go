package config

import (
	"strings"
	"testing"
)

func TestParseAddr(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"9090", "127.0.0.1:9090"},
		{":9090", "127.0.0.1:9090"},
		{"127.0.0.1:0", "127.0.0.1:0"},
		{"0.0.0.0:9090", "0.0.0.0:9090"},
		{"[::]:9090", "[::]:9090"},
		{"localhost:9090", "localhost:9090"},
		{"worker.example:65535", "worker.example:65535"},
	} {
		if got, err := ParseAddr(c.in); got != c.want || err != nil {
			t.Errorf("ParseAddr(%q) = %q, %v, want %q", c.in, got, err, c.want)
		}
	}
}

func TestParseAddrErrors(t *testing.T) {
	for _, c := range []struct{ in, text string }{
		{"", "is not a port"},
		{"localhost", `"localhost" is not a port`},
		{"127.0.0.1", `"127.0.0.1" is not a port`},
		{"127.0.0.1:", `"" is not a port`},
		{":http", `"http" is not a port`},
		{":65536", "from 0 to 65535"},
		{":-1", "from 0 to 65535"},
		{"::1:9090", "is not an address"},
		{"http://127.0.0.1:9090", "is not an address"},
	} {
		if got, err := ParseAddr(c.in); got != "" || err == nil || !strings.Contains(err.Error(), c.text) {
			t.Errorf("ParseAddr(%q) = %q, %v, want an error with %q", c.in, got, err, c.text)
		}
	}
}
