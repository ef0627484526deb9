// Command gen writes the kernels of the lanes engine to standard output; go
// generate in the package above runs it.
//
// A kernel exists for each instruction set; the algorithm is written once,
// in terms of the operations of [vector].
package main

import . "github.com/mmcloughlin/avo/build"

func main() {
	Package("sudoku/solver/internal/lanes")
	ConstraintExpr("!purego")
	cpu()
	for _, v := range []vector{{bytes: 64, suffix: "512"}, {bytes: 32, suffix: "256"}} {
		v.sweep()
		v.pick()
		v.push()
		v.emit()
		v.pop()
		v.start()
		v.resume()
		v.feed()
		v.flush()
	}
	Generate()
}
