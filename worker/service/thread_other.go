//go:build !linux

package service

// lowerPriority does nothing: threads have no priority of their own, or none that
// can be had without privileges.
func lowerPriority() {}

func giveUpCPU() {}
