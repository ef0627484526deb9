package config

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"regexp"
	"strings"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Tracer returns what makes the spans of a program, and what exports the last of
// them when the program ends. The tracer is nil, and nothing happens, unless the
// OTEL_… variables of OpenTelemetry say where to export to with OTLP over HTTP,
// https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/.
// That an export fails is written to log. The error is an [*Error]: one of these
// variables says what is not to be had.
func Tracer(program string, log *slog.Logger) (tracer trace.Tracer, stop func(), err error) {
	on, err := tracing()
	if err != nil || !on {
		return nil, func() {}, err
	}
	ctx := context.Background()
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, func() {}, &Error{Name: otlpEndpoint, Text: err.Error()}
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("spans not exported", "error", err) }))
	p := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(describe(ctx, program)))
	return p.Tracer("sudoku"), func() { stopTracing(p, log) }, nil
}

// lastExport bounds the time that the last spans take.
const lastExport = 2 * time.Second

func stopTracing(p *sdk.TracerProvider, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.Background(), lastExport)
	defer cancel()
	if err := p.Shutdown(ctx); err != nil {
		log.Warn("last spans not exported", "error", err)
	}
}

// Variables of OpenTelemetry. Those for traces alone go before those for all.
const (
	otlpEndpoint       = "OTEL_EXPORTER_OTLP_ENDPOINT"
	otlpTracesEndpoint = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
	otlpHeaders        = "OTEL_EXPORTER_OTLP_HEADERS"
	otlpTracesHeaders  = "OTEL_EXPORTER_OTLP_TRACES_HEADERS"
	otlpProtocol       = "OTEL_EXPORTER_OTLP_PROTOCOL"
	otlpTracesProtocol = "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"
	tracesExporter     = "OTEL_TRACES_EXPORTER"
	sdkDisabled        = "OTEL_SDK_DISABLED"
)

// tracing reports whether the environment says where to export spans to.
func tracing() (bool, error) {
	exporter := os.Getenv(tracesExporter)
	endpoint, _ := firstSet(otlpTracesEndpoint, otlpEndpoint)
	protocol, by := firstSet(otlpTracesProtocol, otlpProtocol)
	switch {
	case strings.EqualFold(os.Getenv(sdkDisabled), "true"), exporter == "none", exporter == "" && endpoint == "":
		return false, nil
	case exporter != "" && exporter != "otlp":
		return false, &Error{Name: tracesExporter, Text: fmt.Sprintf("%q is not otlp or none", exporter)}
	case protocol != "" && protocol != "http/protobuf":
		return false, &Error{Name: by, Text: fmt.Sprintf("%q is not http/protobuf", protocol)}
	}
	return true, checkOTLP()
}

// checkOTLP looks for what the exporter would complain about on standard error,
// and quote, although a secret may be in there.
func checkOTLP() error {
	for _, v := range []struct {
		name string
		good func(string) bool
		text string
	}{
		{otlpTracesEndpoint, isHTTP, "not a URL such as http://127.0.0.1:4318"},
		{otlpEndpoint, isHTTP, "not a URL such as http://127.0.0.1:4318"},
		{otlpTracesHeaders, areHeaders, "not name=value, or several with commas; in a value write , as %2C, % as %25 and so on"},
		{otlpHeaders, areHeaders, "not name=value, or several with commas; in a value write , as %2C, % as %25 and so on"},
	} {
		if value := os.Getenv(v.name); value != "" && !v.good(value) {
			return &Error{Name: v.name, Text: v.text}
		}
	}
	return nil
}

var headerName = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

// areHeaders reports whether s is a list as the OpenTelemetry specification wants it
// for headers of the exporter.
func areHeaders(s string) bool {
	for pair := range strings.SplitSeq(s, ",") {
		name, value, ok := strings.Cut(pair, "=")
		if _, err := url.PathUnescape(value); !ok || err != nil || !headerName.MatchString(strings.TrimSpace(name)) {
			return false
		}
	}
	return true
}

// firstSet returns the value of the first of two variables that is set, and its
// name.
func firstSet(a, b string) (value, name string) {
	if v := os.Getenv(a); v != "" {
		return v, a
	}
	return os.Getenv(b), b
}

func isHTTP(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// describe returns what the spans say about the program. OTEL_SERVICE_NAME and
// OTEL_RESOURCE_ATTRIBUTES come last, and so win. What cannot be found out about
// the machine is left out.
func describe(ctx context.Context, program string) *resource.Resource {
	r, _ := resource.New(ctx,
		resource.WithAttributes(attribute.String("service.name", program), attribute.String("service.version", Version())),
		resource.WithTelemetrySDK(),
		resource.WithHost(),
		resource.WithFromEnv(),
	)
	return r
}
