//go:build !amd64 || purego

package cells

func parseVectors(g, text *Grid) bool   { return parseWords(g, text) }
func formatVectors(text, g *Grid) bool  { return formatWords(text, g) }
func keepsVectors(g, puzzle *Grid) bool { return keepsWords(g, puzzle) }
func completeVectors(g *Grid) bool      { return completeWords(g) }

func packVectors(p *Packed, g *Grid) bool           { return packWords(p, g) }
func unpackVectors(g *Grid, p *Packed) bool         { return unpackWords(g, p) }
func filledVectors(g *Grid) (low, high uint64)      { return filledWords(g) }
func clearVectors(to, from *Grid, low, high uint64) { clearWords(to, from, low, high) }
