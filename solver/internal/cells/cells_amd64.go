//go:build !purego

package cells

//go:noescape
func parseVectors(grid, text *Grid) bool

//go:noescape
func formatVectors(text, grid *Grid) bool

//go:noescape
func keepsVectors(grid, puzzle *Grid) bool

//go:noescape
func completeVectors(grid *Grid) bool
