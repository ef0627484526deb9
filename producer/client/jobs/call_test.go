package jobs

import (
	"errors"
	"fmt"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

func TestLeaderless(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want bool
	}{
		{nats.ErrNoResponders, true},
		{&jetstream.APIError{Code: 503, ErrorCode: 10008}, true},
		{fmt.Errorf("making it: %w", &jetstream.APIError{Code: 400, ErrorCode: 10005, Description: "no suitable peers for placement"}), true},
		{&jetstream.APIError{Code: 400, ErrorCode: 10058}, false},
		{jetstream.ErrJetStreamNotEnabled, false},
		{jetstream.ErrJetStreamNotEnabledForAccount, false},
		{errors.New("another"), false},
	} {
		if got := leaderless(tt.err); got != tt.want {
			t.Errorf("leaderless(%v) = %v, want %v", tt.err, got, tt.want)
		}
	}
}
