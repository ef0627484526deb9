// Package format reads puzzles in the forms people have them in, and prints
// answers.
//
//	r := format.NewReader(file, "puzzles.txt", format.Auto)
//	w := format.NewWriter(os.Stdout, format.AsLine, false)
//	for p, err := range r.All() {
//		…
//	}
//
// Start with [NewReader] and [NewWriter].
package format
