package config

import (
	"strings"
	"testing"
)

func TestTablesHaveEveryVariable(t *testing.T) {
	var b strings.Builder
	Usage(&b)
	for _, table := range []string{b.String(), Markdown()} {
		for _, v := range variables() {
			if !strings.Contains(table, v.Name) || !strings.Contains(table, v.Default) || !strings.Contains(table, v.Text) {
				t.Errorf("table has not all of %+v:\n%s", v, table)
			}
		}
	}
}

func TestEveryVariableIsDescribed(t *testing.T) {
	for _, v := range variables() {
		if v.Text == "" {
			t.Errorf("%s has no description", v.Name)
		}
	}
}
