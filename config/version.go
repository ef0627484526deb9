package config

import (
	"runtime/debug"
	"strings"
)

// Version returns the version of the program as a semantic version without the
// v: of the tag or commit it was built from, or 0.0.0-devel where the build does
// not know.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return develVersion
	}
	return semantic(info.Main.Version)
}

const develVersion = "0.0.0-devel"

func semantic(version string) string {
	v, ok := strings.CutPrefix(version, "v")
	if !ok {
		return develVersion
	}
	return v
}
