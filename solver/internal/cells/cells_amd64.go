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

//go:noescape
func packVectors(p *Packed, grid *Grid) bool

//go:noescape
func unpackVectors(grid *Grid, p *Packed) bool

//go:noescape
func filledVectors(grid *Grid) (low, high uint64)

//go:noescape
func clearVectors(to, from *Grid, low, high uint64)
