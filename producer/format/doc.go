// Package format reads puzzles in the forms people have them in, and prints
// answers.
//
//	r := format.NewReader(file, "puzzles.txt", format.Auto)
//	for p, err := range r.All() {
//		…
//	}
//
// Start with [NewReader] and [NewWriter].
//
// # What is read
//
// Every format is found out for every puzzle anew, so an input may mix them.
// A [Format] other than [Auto] reads that format only.
//
//	line    81 cells in a row, alone or set off by other marks: after them a
//	        comment, a rating, a count, the solution (.sdm, puzzle:count:solution,
//	        gsf's taxonomy, Kaggle without its header); also 81 cells one by one
//	        or in groups, as in nine tokens on one line
//	grid    nine rows, compact, in groups, or one by one with spaces, tabs, commas
//	        or semicolons between; frames and rules of ASCII or box drawing
//	        characters (.sdk of both kinds, .ss, .spf, printouts); heads like
//	        Grid 01 (Project Euler 96), a size or a number of grids before (UVa 989)
//	column  81 lines of one cell
//	csv     a table whose header names a column puzzle, quizzes, sudoku, …
//	        (Kaggle, qqwing)
//	json    lists of lists, flat lists, strings, objects, lines of these; rows
//	        without the outer bracket; arrays in source code with its brackets,
//	        quotes, comments and names around
//	hodoku  the grid of a HoDoKu library line
//	xml     81 cells in an attribute or an element (OpenSudoku)
//	link    81 cells in a web address
//
// A blank cell is any of . 0 * _ - x X ? or a middle dot or a box, mixed as
// one likes; in lists and words also null, None, nil or -1, and nothing between
// two separators. Full-width digits are digits. A line ends with LF, CR LF or CR;
// a UTF-8 byte order mark is passed over. Lines that begin with # or // are
// comments.
//
// # What is decided
//
//   - Spaces are blank cells where every cell has its column and nothing else
//     stands for one: in a line of exactly 81 characters, in rows of exactly 9,
//     and between bars, a field for each cell or for three.
//   - Minus signs and the like are cells unless the line is a rule: it has a +
//     and no digit, or at least three of them in a row but not nine (or 81) in
//     all. Nine are a row if the rows before have such blanks, else a rule.
//   - Nine rows end at an empty line, a rule, any other text, or the end. Rows
//     without any of these between are cut in nines; ten to seventeen are one
//     bad grid. Empty lines and rules between boxes, or between all rows, belong
//     to the grid as long as they are regular.
//   - A lone row of other than nine cells, up to 15, is taken for a date or a
//     number, and so are up to eight lines of one cell.
//   - The 82nd character of a line must not be a letter, a digit or a blank.
//   - Of several grids in a line, the first that is not complete is the puzzle.
//     An earlier one with a wrong number of cells makes the line a bad one. In
//     tables, objects and XML the solution is told by its name.
//   - Of a .sdk file [Puzzle] is read, [State] is the player's business.
//   - The digits found, +5, of a HoDoKu line count as clues; what is said about
//     candidates is not looked at.
//   - null (or -1) and 0 in one grid are refused: programs that write null
//     count the digits from 0.
//   - The letter O is not the digit 0.
//   - Text that is no puzzle is passed over, being mostly a caption; but right
//     after a line that is one it is reported as a bad one, unless it ends with
//     a digit or a colon, as captions do, or is all marks.
//   - Refused, and called by their names: UTF-16, files that are not text,
//     HTML, grids that are not 9×9, 729 characters or lists of candidates, jigsaws
//     (letters that name regions), links to f-puzzles and SudokuPad. A jigsaw
//     in two lines is noticed if the second is there when the first is read.
//
// # Bad puzzles
//
// A puzzle that cannot be read is reported with its place and never moves its
// neighbours: there are as many answers as puzzles. Digits that break the rules
// are not this package's business, but [Puzzle.Position] says where they stand.
package format
