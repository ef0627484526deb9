//go:build !purego

package lanes

//go:generate sh -c "cd gen && go run . >../kernels.new && mv ../kernels.new ../kernels_amd64.s"

// kernels returns those for s, nil if it is not available.
func (s Set) kernels() *kernels { return sets[s] }

var sets = detect()

func detect() (sets [2]*kernels) {
	const (
		osxsave = 1 << 27 // leaf 1, ECX
		avx     = 1 << 28

		avx2Bit   = 1 << 5                        // leaf 7, EBX
		avx512EBX = 1<<16 | 1<<17 | 1<<30 | 1<<31 // F, DQ, BW, VL
		bitalg    = 1 << 12                       // leaf 7, ECX
		ymmState  = 1<<1 | 1<<2
		zmmState  = ymmState | 1<<5 | 1<<6 | 1<<7
	)
	leaves, _, _, _ := cpuid(0, 0)
	if leaves < 7 {
		return sets
	}
	if _, _, ecx, _ := cpuid(1, 0); ecx&(osxsave|avx) != osxsave|avx {
		return sets
	}
	_, ebx, ecx, _ := cpuid(7, 0)
	saved := xgetbv() // the registers that the operating system saves
	if saved&ymmState == ymmState && ebx&avx2Bit != 0 {
		sets[AVX2] = &avx2
	}
	if saved&zmmState == zmmState && ebx&avx512EBX == avx512EBX {
		sets[AVX512] = &avx512
		if ecx&bitalg != 0 {
			sets[AVX512] = &avx512Bitalg
		}
	}
	return sets
}

// cpuid is the instruction.
//
//go:noescape
func cpuid(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32)

// xgetbv returns the lower half of the register XCR0.
//
//go:noescape
func xgetbv() (eax uint32)

var avx512, avx512Bitalg = wide(pickFives512), wide(pick512)

func wide(pick func(s *state)) kernels {
	return kernels{
		width: 32,
		sweep: sweep512, pick: pick,
		push: push512, emit: emit512,
		pop: pop512, start: start512, resume: resume512,
		feed: feed512, flush: flush512,
	}
}

var avx2 = kernels{
	width: 16,
	sweep: sweep256, pick: pick256,
	push:   func(s *state, column int) { s.out.split(); push256(s, column) },
	emit:   func(s *state, column int) { s.out.split(); emit256(s, column) },
	pop:    func(s *state, column, first int) { s.in.split(); s.next.split(); pop256(s, column, first) },
	start:  func(s *state, first int) { s.next.split(); start256(s, first) },
	resume: func(s *state, column int) { s.in.split(); resume256(s, column) },
	feed:   feed256, flush: flush256,
}

//go:noescape
func sweep512(s *state)

//go:noescape
func pick512(s *state)

//go:noescape
func pickFives512(s *state)

//go:noescape
func push512(s *state, column int)

//go:noescape
func pop512(s *state, column, first int)

//go:noescape
func feed512(s *state, puzzles *[81]uint8, column int)

//go:noescape
func flush512(s *state)

//go:noescape
func emit512(s *state, column int)

//go:noescape
func start512(s *state, first int)

//go:noescape
func resume512(s *state, column int)

//go:noescape
func sweep256(s *state)

//go:noescape
func pick256(s *state)

//go:noescape
func push256(s *state, column int)

//go:noescape
func pop256(s *state, column, first int)

//go:noescape
func feed256(s *state, puzzles *[81]uint8, column int)

//go:noescape
func flush256(s *state)

//go:noescape
func emit256(s *state, column int)

//go:noescape
func start256(s *state, first int)

//go:noescape
func resume256(s *state, column int)
