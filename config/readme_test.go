package config

import (
	"os"
	"strings"
	"testing"
)

func TestReadmeHasTheTable(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := Markdown(); !strings.Contains(string(readme), want) {
		t.Errorf("README.md does not have the table of variables, which is now\n%s", want)
	}
}
