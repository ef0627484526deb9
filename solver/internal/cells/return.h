// RETURN_ALL returns whether all bytes of v are 0xff.
#define RETURN_ALL(v, result) \
	VPMOVMSKB v, AX; \
	CMPL      AX, $-1; \
	SETEQ     result; \
	VZEROUPPER; \
	RET
