package config

import (
	"os"
	"path/filepath"
)

// StoreDir returns Store, or where durable jobs are kept if that is empty. The
// error is that the user has no home directory.
func (c Config) StoreDir() (string, error) {
	if c.Store != "" {
		return c.Store, nil
	}
	if state := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(state) {
		return filepath.Join(state, "sudoku", "jobs"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", &Error{Name: "SUDOKU_STORE", Text: "not set, and " + err.Error()}
	}
	return filepath.Join(home, ".local", "state", "sudoku", "jobs"), nil
}
