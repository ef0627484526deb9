package config

import (
	"log/slog"
	"os"
	"strings"
	"testing"
)

// setotel makes the variables of OpenTelemetry those of environ.
func setotel(t *testing.T, environ map[string]string) {
	t.Helper()
	for _, entry := range os.Environ() {
		if name, _, _ := strings.Cut(entry, "="); strings.HasPrefix(name, "OTEL_") {
			t.Setenv(name, "")
		}
	}
	for name, value := range environ {
		t.Setenv(name, value)
	}
}

func TestTracer(t *testing.T) {
	for _, c := range []struct {
		name    string
		environ map[string]string
		on      bool
	}{
		{"nothing set", nil, false},
		{"endpoint", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"}, true},
		{"endpoint of traces", map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "https://127.0.0.1:1/v1/traces"}, true},
		{"exporter at its default endpoint", map[string]string{"OTEL_TRACES_EXPORTER": "otlp"}, true},
		{"protocol", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL": "http/protobuf"}, true},
		{"headers", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a", "OTEL_EXPORTER_OTLP_HEADERS": "authorization=Bearer%20hunter2, x-team = a=b"}, true},
		{"no exporter", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a", "OTEL_TRACES_EXPORTER": "none"}, false},
		{"disabled", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a", "OTEL_SDK_DISABLED": "true"}, false},
		{"name alone", map[string]string{"OTEL_SERVICE_NAME": "worker"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			setotel(t, c.environ)
			tracer, stop, err := Tracer("test", slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			defer stop()
			if on := tracer != nil; on != c.on {
				t.Errorf("Tracer() with %v is there: %v, want %v", c.environ, on, c.on)
			}
		})
	}
}

func TestTracerErrors(t *testing.T) {
	for _, c := range []struct {
		name           string
		environ        map[string]string
		variable, text string
	}{
		{"exporter", map[string]string{"OTEL_TRACES_EXPORTER": "zipkin"}, "OTEL_TRACES_EXPORTER", `"zipkin" is not otlp or none`},
		{"protocol", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, "OTEL_EXPORTER_OTLP_PROTOCOL", `"grpc" is not http/protobuf`},
		{"endpoint without scheme", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "127.0.0.1:4318"}, "OTEL_EXPORTER_OTLP_ENDPOINT", "not a URL"},
		{"scheme", map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "grpc://a"}, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "not a URL"},
		{"endpoint that is not used", map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://a", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://u:hunter2@[::1"}, "OTEL_EXPORTER_OTLP_ENDPOINT", "not a URL"},
		{"header without a name", map[string]string{"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_HEADERS": "hunter2"}, "OTEL_EXPORTER_OTLP_HEADERS", "not name=value"},
		{"header with an empty name", map[string]string{"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_HEADERS": "a=b,=hunter2"}, "OTEL_EXPORTER_OTLP_HEADERS", "not name=value"},
		{"header with a bad name", map[string]string{"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_TRACES_HEADERS": "hunter2 x=y"}, "OTEL_EXPORTER_OTLP_TRACES_HEADERS", "not name=value"},
		{"header with a bad value", map[string]string{"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_HEADERS": "authorization=hunter2%ZZ"}, "OTEL_EXPORTER_OTLP_HEADERS", "not name=value"},
	} {
		t.Run(c.name, func(t *testing.T) {
			setotel(t, c.environ)
			tracer, _, err := Tracer("test", slog.New(slog.DiscardHandler))
			checkError(t, "Tracer()", err, c.variable, c.text)
			if tracer != nil || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("Tracer() = %v with the error %v, want nil, and no secret", tracer, err)
			}
		})
	}
}
