//go:build !purego

#include "textflag.h"
#include "return.h"

// A grid takes three vectors: its bytes 0 to 31, 32 to 63 and 49 to 80. The last
// two have 15 bytes in common.

DATA constants<>+0(SB)/1, $'0'
DATA constants<>+1(SB)/1, $'.'
DATA constants<>+2(SB)/1, $9
DATA constants<>+3(SB)/1, $15
GLOBL constants<>(SB), RODATA|NOPTR, $4

// bits has the bit of each digit; see Complete.
DATA bits<>+0(SB)/8, $0x4020100804020100
DATA bits<>+8(SB)/8, $0x0000000000000080
GLOBL bits<>(SB), RODATA|NOPTR, $16

// func parseVectors(grid, text *Grid) bool
TEXT ·parseVectors(SB), NOSPLIT, $0-17
	MOVQ         grid+0(FP), DI
	MOVQ         text+8(FP), SI
	VPBROADCASTB constants<>+0(SB), Y13 // '0'
	VPBROADCASTB constants<>+1(SB), Y14 // '.'
	VPBROADCASTB constants<>+2(SB), Y15 // 9
	VMOVDQA      Y15, Y12               // 9, or the largest number

#define PARSE(i) \
	VMOVDQU  i(SI), Y0; \
	VPCMPEQB Y14, Y0, Y1; \
	VPSUBB   Y13, Y0, Y0; \
	VPANDN   Y0, Y1, Y0; \
	VPMAXUB  Y0, Y12, Y12; \
	VMOVDQU  Y0, i(DI)
	PARSE(0)
	PARSE(32)
	PARSE(49)

	VPCMPEQB Y15, Y12, Y12
	RETURN_ALL(Y12, ret+16(FP))

// func formatVectors(text, grid *Grid) bool
TEXT ·formatVectors(SB), NOSPLIT, $0-17
	MOVQ         text+0(FP), DI
	MOVQ         grid+8(FP), SI
	VPBROADCASTB constants<>+0(SB), Y13 // '0'
	VPXOR        Y14, Y14, Y14
	VPBROADCASTB constants<>+2(SB), Y15 // 9
	VMOVDQA      Y15, Y12               // 9, or the largest number

// '.' is two less than '0'.
#define FORMAT(i) \
	VMOVDQU  i(SI), Y0; \
	VPMAXUB  Y0, Y12, Y12; \
	VPCMPEQB Y14, Y0, Y1; \
	VPADDB   Y13, Y0, Y0; \
	VPADDB   Y1, Y0, Y0; \
	VPADDB   Y1, Y0, Y0; \
	VMOVDQU  Y0, i(DI)
	FORMAT(0)
	FORMAT(32)
	FORMAT(49)

	VPCMPEQB Y15, Y12, Y12
	RETURN_ALL(Y12, ret+16(FP))

// func keepsVectors(grid, puzzle *Grid) bool
TEXT ·keepsVectors(SB), NOSPLIT, $0-17
	MOVQ     grid+0(FP), DI
	MOVQ     puzzle+8(FP), SI
	VPXOR    Y14, Y14, Y14
	VPCMPEQB Y12, Y12, Y12 // the same so far

#define KEEPS(i) \
	VMOVDQU  i(SI), Y0; \
	VPCMPEQB Y14, Y0, Y1; \
	VPCMPEQB i(DI), Y0, Y0; \
	VPOR     Y1, Y0, Y0; \
	VPAND    Y0, Y12, Y12
	KEEPS(0)
	KEEPS(32)
	KEEPS(49)

	RETURN_ALL(Y12, ret+16(FP))

// func completeVectors(grid *Grid) bool
//
// The rows are in Y0 to Y2, two in each, and X3 to X5. DX counts the nines; CX has
// bits of 1 for what is wrong.
TEXT ·completeVectors(SB), NOSPLIT, $0-9
	MOVQ           grid+0(FP), SI
	VBROADCASTI128 bits<>(SB), Y13
	VPBROADCASTB   constants<>+2(SB), Y14 // 9
	VPBROADCASTB   constants<>+3(SB), Y15 // 15
	VMOVDQA        Y15, Y12               // 15, or the largest number
	VPCMPEQB       Y11, Y11, Y11          // all bits

#define NINES(i, at) \
	VMOVDQU   i(SI), Y0; \
	VPMAXUB   Y0, Y12, Y12; \
	VPCMPEQB  Y14, Y0, Y0; \
	VPMOVMSKB Y0, at
	NINES(0, AX)
	NINES(32, BX)
	NINES(49, DX)
	SHRL      $15, DX // counted in the second vector
	SHLQ      $32, BX
	ORQ       BX, AX
	POPCNTQ   AX, AX
	POPCNTL   DX, DX
	ADDL      AX, DX
	VPCMPEQB  Y15, Y12, Y12
	VPMOVMSKB Y12, CX
	NOTL      CX

#define TWO_ROWS(i, low, both) \
	VMOVDQU     i(SI), low; \
	VINSERTI128 $1, i+27(SI), both, both; \
	VPSHUFB     both, Y13, both
	TWO_ROWS(0, X0, Y0)
	TWO_ROWS(9, X1, Y1)
	TWO_ROWS(18, X2, Y2)
	VMOVDQU 54(SI), X3
	VMOVDQU 63(SI), X4
	VMOVDQU 65(SI), X5
	VPSRLDQ $7, X5, X5
	VPSHUFB X3, X13, X3
	VPSHUFB X4, X13, X4
	VPSHUFB X5, X13, X5

// MISSING adds to CX where the bytes that count have not all bits.
#define MISSING(v, all, counting, at) \
	VPCMPEQB  all, v, v; \
	VPMOVMSKB v, at; \
	NOTL      at; \
	ANDL      $counting, at; \
	ORL       at, CX

// The columns.
	VPOR         Y0, Y1, Y6
	VPOR         Y2, Y6, Y6
	VEXTRACTI128 $1, Y6, X7
	VPOR         X3, X4, X8
	VPOR         X5, X6, X6
	VPOR         X7, X8, X7
	VPOR         X6, X7, X6
	MISSING(X6, X11, 0x1ff, AX)

// THREE adds to each byte of v the two bytes that are distance and twice that ahead.
#define THREE(v, distance, one, two) \
	VPSRLDQ $distance, v, one; \
	VPSRLDQ $(2*distance), v, two; \
	VPOR    one, v, v; \
	VPOR    two, v, v

// The boxes begin at bytes 0, 3 and 6 of three rows.
	THREE(Y0, 1, Y6, Y7)
	THREE(Y1, 1, Y8, Y9)
	THREE(Y2, 1, Y6, Y7)
	THREE(X3, 1, X8, X9)
	THREE(X4, 1, X6, X7)
	THREE(X5, 1, X8, X9)
	VPOR Y0, Y1, Y6
	VPOR Y2, Y6, Y6
	VPOR X3, X4, X7
	VPOR X5, X7, X7
	MISSING(Y6, Y11, 0x00490049, AX)
	MISSING(X7, X11, 0x49, BX)

// The rows begin at byte 0.
	THREE(Y0, 3, Y6, Y7)
	THREE(Y1, 3, Y8, Y9)
	THREE(Y2, 3, Y6, Y7)
	THREE(X3, 3, X8, X9)
	THREE(X4, 3, X6, X7)
	THREE(X5, 3, X8, X9)
	VPAND Y0, Y1, Y0
	VPAND Y2, Y0, Y0
	VPAND X3, X4, X3
	VPAND X5, X3, X3
	MISSING(Y0, Y11, 0x00010001, AX)
	MISSING(X3, X11, 0x1, BX)

	XORL  $9, DX
	ORL   DX, CX
	SETEQ ret+8(FP)
	VZEROUPPER
	RET
