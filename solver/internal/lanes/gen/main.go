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
	wide, narrow := vector{bytes: 64, suffix: "512"}, vector{bytes: 32, suffix: "256"}
	wide.pick("pick", wide.popcounts)
	wide.pick("pickFives", wide.fives)
	narrow.pick("pick", narrow.nibbles)
	for _, v := range []vector{wide, narrow} {
		v.sweep()
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
