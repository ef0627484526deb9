package config

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/kelseyhightower/envconfig"
)

// A variable is one of the environment, as the tags of [Config] say.
type variable struct {
	Name    string
	Short   string // the name without the prefix, where that is read too; else empty
	Default string
	Text    string
}

// variables returns all there are, in the order of [Config].
func variables() []variable {
	const line = "{{range .}}{{usage_key .}}\t{{.Alt}}\t{{usage_default .}}\t{{usage_description .}}\n{{end}}"
	var b strings.Builder
	if err := envconfig.Usagef(prefix, &Config{}, &b, line); err != nil {
		panic(err) // Config has the form that envconfig wants
	}
	var vs []variable
	for l := range strings.Lines(b.String()) {
		f := strings.Split(strings.TrimSuffix(l, "\n"), "\t")
		vs = append(vs, variable{Name: f[0], Short: f[1], Default: f[2], Text: f[3]})
	}
	return vs
}

const note = "Empty means not set. Those that begin with SUDOKU_NATS_ are also read without SUDOKU_. OTEL_EXPORTER_OTLP_ENDPOINT and its like turn tracing on."

// Usage writes the table of variables, for people who ask a program for help.
func Usage(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, v := range variables() {
		fmt.Fprintf(t, "  %s\t%s\t%s\n", v.Name, v.Default, v.Text)
	}
	t.Flush()
	fmt.Fprintf(w, "\n  %s\n", note)
}

// Markdown returns the table of variables as the README has it.
func Markdown() string {
	var b strings.Builder
	b.WriteString("| Variable | Default | Meaning |\n|---|---|---|\n")
	for _, v := range variables() {
		value := ""
		if v.Default != "" {
			value = "`" + v.Default + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", v.Name, value, v.Text)
	}
	fmt.Fprintf(&b, "\n%s\n", strings.ReplaceAll(note, "SUDOKU_NATS_", "`SUDOKU_NATS_`"))
	return b.String()
}
