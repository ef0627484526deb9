//go:build unix

package local

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// lock makes a store and keeps others out of it, until it is closed or the
// process ends: the server does not notice another one with the same files.
func lock(store string) (io.Closer, error) {
	if err := os.MkdirAll(store, 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(store, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = ErrStoreInUse
		}
		return nil, err
	}
	return f, nil
}
