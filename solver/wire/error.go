package wire

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"sudoku/solver"
)

// Codes of a failed request, as Nats-Service-Error-Code has them.
const (
	CodeBadRequest = 400
	CodeTooLarge   = 413
	CodeInternal   = 500
	CodeBusy       = 503
	CodeTimeout    = 504
)

// What an [*Error] matches through [errors.Is], by its code. One of code 504
// matches [solver.ErrTimeout], as a local search does.
var (
	ErrBadRequest = errors.New("bad request")   // 400: the worker could not read the request, or every puzzle is invalid
	ErrTooLarge   = errors.New("too large")     // 413: the request or its reply exceeds a limit; send fewer puzzles
	ErrInternal   = errors.New("worker failed") // 500: a fault in the worker, in its log
	ErrBusy       = errors.New("workers busy")  // 503: the backlog is full; try again after Error.RetryAfter
)

// sentinels is the table of codes and what they match, in both directions.
var sentinels = map[int]error{
	CodeBadRequest: ErrBadRequest,
	CodeTooLarge:   ErrTooLarge,
	CodeInternal:   ErrInternal,
	CodeBusy:       ErrBusy,
	CodeTimeout:    solver.ErrTimeout,
}

// Error is a request that failed as a whole.
type Error struct {
	Code       int           // one of the codes above, or one of a later version
	Text       string        // for people
	RetryAfter time.Duration // with CodeBusy: how long to wait; otherwise 0
}

func (e *Error) Error() string { return fmt.Sprintf("%s (%d)", e.Text, e.Code) }

// Is matches the sentinel of e.Code.
func (e *Error) Is(target error) bool { return target == sentinels[e.Code] }

// Header returns the headers that say e, in the form of nats.Header.
func (e *Error) Header() map[string][]string {
	h := map[string][]string{
		HeaderError:     {e.Text},
		HeaderErrorCode: {strconv.Itoa(e.Code)},
	}
	if e.RetryAfter > 0 {
		h[HeaderRetryAfter] = []string{strconv.FormatInt(e.RetryAfter.Milliseconds(), 10)}
	}
	return h
}

// ParseError returns the failure that the headers of a reply say, or nil where
// they say none. A code that is not a number is taken as 500.
func ParseError(h map[string][]string) *Error {
	code, text := h[HeaderErrorCode], h[HeaderError]
	if len(code) == 0 && len(text) == 0 {
		return nil
	}
	e := &Error{Code: CodeInternal}
	if len(text) > 0 {
		e.Text = text[0]
	}
	if len(code) > 0 {
		if n, err := strconv.Atoi(code[0]); err == nil {
			e.Code = n
		}
	}
	if after := h[HeaderRetryAfter]; len(after) > 0 {
		if ms, err := strconv.Atoi(after[0]); err == nil && ms > 0 && time.Duration(ms) <= MaxTimeout/time.Millisecond {
			e.RetryAfter = time.Duration(ms) * time.Millisecond
		}
	}
	return e
}
