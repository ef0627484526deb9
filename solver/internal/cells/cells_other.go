//go:build !amd64 || purego

package cells

func parseVectors(g, text *Grid) bool   { return parseWords(g, text) }
func formatVectors(text, g *Grid) bool  { return formatWords(text, g) }
func keepsVectors(g, puzzle *Grid) bool { return keepsWords(g, puzzle) }
func completeVectors(g *Grid) bool      { return completeWords(g) }
