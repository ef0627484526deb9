//go:build !amd64 || purego

package lanes

// kernels returns nil: no set is available.
func (Set) kernels() *kernels { return nil }
