//go:build !purego

#include "textflag.h"
#include "return.h"

// Cells 1 to 80 are bytes 1 to 40 of a packed grid.

DATA packing<>+0(SB)/2, $0x0110 // 16 for the first of two cells, 1 for the second
DATA packing<>+2(SB)/1, $0x0f
DATA packing<>+3(SB)/1, $9
GLOBL packing<>(SB), RODATA|NOPTR, $4

// For 32 bits, one for each byte: the byte that each is in, and its bit there.
DATA bytesOf<>+0(SB)/8, $0x0000000000000000
DATA bytesOf<>+8(SB)/8, $0x0101010101010101
DATA bytesOf<>+16(SB)/8, $0x0202020202020202
DATA bytesOf<>+24(SB)/8, $0x0303030303030303
DATA bytesOf<>+32(SB)/8, $0x8040201008040201
GLOBL bytesOf<>(SB), RODATA|NOPTR, $40

// func packVectors(p *Packed, grid *Grid) bool
TEXT ·packVectors(SB), NOSPLIT, $0-17
	MOVQ         p+0(FP), DI
	MOVQ         grid+8(FP), SI
	VPBROADCASTW packing<>+0(SB), Y13
	VPBROADCASTB packing<>+3(SB), Y15 // 9
	MOVBLZX      (SI), AX
	VMOVDQU      1(SI), Y0
	VMOVDQU      33(SI), Y1
	VMOVDQU      65(SI), X2
	VPMAXUB      (SI), Y15, Y12 // 9, or the largest number
	VPMAXUB      Y0, Y1, Y3
	VPMAXUB      Y2, Y3, Y3
	VPMAXUB      Y3, Y12, Y12
	VPMADDUBSW   Y13, Y0, Y0
	VPMADDUBSW   Y13, Y1, Y1
	VPMADDUBSW   X13, X2, X2
	VPACKUSWB    Y1, Y0, Y0
	VPERMQ       $0xd8, Y0, Y0
	VPACKUSWB    X2, X2, X2
	MOVB         AX, (DI)
	VMOVDQU      Y0, 1(DI)
	VMOVQ        X2, 33(DI)
	VPCMPEQB     Y15, Y12, Y12
	RETURN_ALL(Y12, ret+16(FP))

// func unpackVectors(grid *Grid, p *Packed) bool
TEXT ·unpackVectors(SB), NOSPLIT, $0-17
	MOVQ         grid+0(FP), DI
	MOVQ         p+8(FP), SI
	VPBROADCASTB packing<>+2(SB), Y14 // 15
	VPBROADCASTB packing<>+3(SB), Y15 // 9
	MOVBLZX      (SI), AX
	ANDL         $0xf, AX
	VMOVD        AX, X0
	VPMAXUB      Y0, Y15, Y12 // 9, or the largest number
	MOVB         AX, (DI)

#define UNPACK(from, to, v, w, low4) \
	VPMOVZXBW from(SI), v; \
	VPSLLW    $8, v, w; \
	VPSRLW    $4, v, v; \
	VPOR      w, v, v; \
	VPAND     low4, v, v; \
	VMOVDQU   v, to(DI)
	UNPACK(1, 1, Y0, Y3, Y14)
	UNPACK(17, 33, Y1, Y4, Y14)
	UNPACK(33, 65, X2, X5, X14)
	VPMAXUB Y0, Y12, Y12
	VPMAXUB Y1, Y2, Y1
	VPMAXUB Y1, Y12, Y12

	VPCMPEQB Y15, Y12, Y12
	RETURN_ALL(Y12, ret+16(FP))

// func filledVectors(grid *Grid) (low, high uint64)
TEXT ·filledVectors(SB), NOSPLIT, $0-24
	MOVQ      grid+0(FP), SI
	VPXOR     Y15, Y15, Y15
	VPCMPEQB  (SI), Y15, Y0
	VPCMPEQB  32(SI), Y15, Y1
	VPCMPEQB  49(SI), Y15, Y2
	VPMOVMSKB Y0, AX
	VPMOVMSKB Y1, BX
	VPMOVMSKB Y2, DX
	SHLQ      $32, BX
	ORQ       BX, AX
	NOTQ      AX
	NOTL      DX
	SHRL      $15, DX
	MOVQ      AX, low+8(FP)
	MOVQ      DX, high+16(FP)
	VZEROUPPER
	RET

// func clearVectors(to, from *Grid, low, high uint64)
TEXT ·clearVectors(SB), NOSPLIT, $0-32
	MOVQ         to+0(FP), DI
	MOVQ         from+8(FP), SI
	MOVQ         low+16(FP), AX
	MOVQ         high+24(FP), DX
	VMOVDQU      bytesOf<>+0(SB), Y14
	VPBROADCASTQ bytesOf<>+32(SB), Y15

#define EXPAND(bits, x, v) \
	VMOVD        bits, x; \
	VPBROADCASTD x, v; \
	VPSHUFB      Y14, v, v; \
	VPAND        Y15, v, v; \
	VPCMPEQB     Y15, v, v
	EXPAND(AX, X0, Y0)
	MOVQ    AX, BX
	SHRQ    $32, BX
	EXPAND(BX, X1, Y1)
	SHRQ    $49, AX
	SHLQ    $15, DX
	ORQ     DX, AX
	EXPAND(AX, X2, Y2)
	VPAND   (SI), Y0, Y0
	VPAND   32(SI), Y1, Y1
	VPAND   49(SI), Y2, Y2
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	VMOVDQU Y2, 49(DI)
	VZEROUPPER
	RET
