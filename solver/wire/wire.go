package wire

import (
	"fmt"
	"strconv"
	"time"
)

// Subjects of the three requests, and the queue group of the workers.
const (
	SubjectSolve = "sudoku.v1.solve"
	SubjectCount = "sudoku.v1.count"
	SubjectAll   = "sudoku.v1.all"
	QueueGroup   = "sudoku-workers"
	Service      = "sudoku" // the name in $SRV discovery
)

// Names of headers.
const (
	HeaderLimit      = "Sudoku-Limit"
	HeaderTimeout    = "Sudoku-Timeout-Ms"
	HeaderCount      = "Sudoku-Count"
	HeaderRetryAfter = "Sudoku-Retry-After-Ms"
	HeaderError      = "Nats-Service-Error"
	HeaderErrorCode  = "Nats-Service-Error-Code"
)

// Limits of a request.
const (
	MaxPuzzles        = 4096           // lines of a body
	MaxBytes          = 512 << 10      // bytes of a body
	MaxCountLimit     = 1_000_000_000  // Sudoku-Limit of count
	MaxAllLimit       = 1_000_000      // Sudoku-Limit of all
	MaxTimeout        = 24 * time.Hour // Sudoku-Timeout-Ms
	DefaultCountLimit = 1_000_000      // Sudoku-Limit of count, when absent
	DefaultAllLimit   = 1000           // Sudoku-Limit of all, when absent
)

// Terms are the headers of a request. Zero fields are left out of the message,
// and mean the default.
type Terms struct {
	Limit   int           // solutions, for count and all
	Timeout time.Duration // what the requester will still wait, sent in whole milliseconds
}

// Header returns the headers that say t, in the form of nats.Header; nil when
// there is nothing to say. A Timeout is rounded up to a millisecond.
func (t Terms) Header() map[string][]string {
	if t == (Terms{}) {
		return nil
	}
	h := map[string][]string{}
	if t.Limit != 0 {
		h[HeaderLimit] = []string{strconv.Itoa(t.Limit)}
	}
	if t.Timeout != 0 {
		ms := (t.Timeout + time.Millisecond - 1) / time.Millisecond
		h[HeaderTimeout] = []string{strconv.FormatInt(int64(ms), 10)}
	}
	return h
}

// ParseTerms reads the headers of a request on subject and puts defaults in the
// place of absent ones; a Timeout of 0 means that the requester set none. The
// error is an [*Error] with code 400 where a header is not a number or out of
// range.
func ParseTerms(subject string, h map[string][]string) (Terms, error) {
	limit, most := DefaultCountLimit, MaxCountLimit
	if subject == SubjectAll {
		limit, most = DefaultAllLimit, MaxAllLimit
	}
	limit, err := number(h, HeaderLimit, limit, most)
	if err != nil {
		return Terms{}, err
	}
	ms, err := number(h, HeaderTimeout, 0, int(MaxTimeout/time.Millisecond))
	if err != nil {
		return Terms{}, err
	}
	return Terms{Limit: limit, Timeout: time.Duration(ms) * time.Millisecond}, nil
}

// number reads a header with a whole number from 1 to most.
func number(h map[string][]string, name string, absent, most int) (int, error) {
	values := h[name]
	if len(values) == 0 {
		return absent, nil
	}
	n, err := strconv.Atoi(values[0])
	if err != nil || n < 1 || n > most {
		return 0, &Error{Code: CodeBadRequest, Text: fmt.Sprintf("header %s: %q is not a whole number from 1 to %d", name, clip(values[0]), most)}
	}
	return n, nil
}

// clip shortens a foreign text so that it can be quoted.
func clip(s string) string {
	if len(s) > 32 {
		return s[:32] + "…"
	}
	return s
}
