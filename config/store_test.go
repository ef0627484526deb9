package config

import (
	"errors"
	"testing"
)

func TestStoreDir(t *testing.T) {
	for _, tt := range []struct {
		name, store, state, home string
		want                     string
	}{
		{"set", "/data", "/state", "/home/u", "/data"},
		{"XDG_STATE_HOME", "", "/state", "/home/u", "/state/sudoku/jobs"},
		{"relative XDG_STATE_HOME", "", "state", "/home/u", "/home/u/.local/state/sudoku/jobs"},
		{"home", "", "", "/home/u", "/home/u/.local/state/sudoku/jobs"},
	} {
		t.Setenv("XDG_STATE_HOME", tt.state)
		t.Setenv("HOME", tt.home)
		if got, err := (Config{Store: tt.store}).StoreDir(); got != tt.want || err != nil {
			t.Errorf("%s: StoreDir() = %q, %v, want %q", tt.name, got, err, tt.want)
		}
	}
	t.Setenv("HOME", "")
	if got, err := (Config{}).StoreDir(); !errors.As(err, new(*Error)) {
		t.Errorf("StoreDir() without a home = %q, %v, want an Error", got, err)
	}
}
