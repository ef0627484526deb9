// Package check holds the tests of what is in deploy and of docker-compose.yml.
// They need neither Docker nor a cluster: each file is read by the library that
// its program uses, or by the program itself, and the set-ups are rehearsed with
// processes on the loopback interface.
//
// It is a module of its own, so that those libraries stay out of the go.mod of
// whoever uses module sudoku.
package check
