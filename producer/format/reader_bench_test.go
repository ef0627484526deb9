package format

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

func BenchmarkNext(b *testing.B) {
	rows := strings.ReplaceAll(strings.Join([]string{puzzle[:9], puzzle[9:18], puzzle[18:27], puzzle[27:36], puzzle[36:45], puzzle[45:54], puzzle[54:63], puzzle[63:72], puzzle[72:]}, "\n"), ".", "0")
	for name, text := range map[string]string{
		"dots":   puzzle + "\n",
		"stars":  strings.ReplaceAll(puzzle, ".", "*") + "\n",
		"csv":    puzzle + "," + solution + "\n",
		"rows":   rows + "\n\n",
		"words":  strings.Join(strings.Split(rows, ""), " ") + "\n\n",
		"kaggle": "quizzes,solutions\n" + strings.Repeat(puzzle+","+solution+"\n", 100) + "\n",
		"json":   `{"puzzle":"` + puzzle + `"}` + "\n",
	} {
		b.Run(name, func(b *testing.B) {
			const puzzles = 10_000
			input := bytes.Repeat([]byte(text), puzzles/max(1, strings.Count(text, solution)))
			b.ReportAllocs()
			for b.Loop() {
				r := NewReader(bytes.NewReader(input), "", Auto)
				for {
					if _, err := r.Next(); err == io.EOF {
						break
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/puzzles, "ns/puzzle")
		})
	}
}
