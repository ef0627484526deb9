package config

import (
	"runtime/debug"
	"strings"
)

// version is set by the linker, as the Dockerfile does: in the image that builds
// there is no repository that would say it.
var version string

// Version returns the version of the program as a semantic version without the
// v: of the tag or commit it was built from, or 0.0.0-devel where the build does
// not know.
func Version() string {
	if version != "" {
		return version
	}
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
