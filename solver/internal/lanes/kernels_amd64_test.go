//go:build !purego

package lanes

func init() {
	if AVX512.Available() {
		substitutes["avx512 without BITALG"] = &avx512
	}
}
