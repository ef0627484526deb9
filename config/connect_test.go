package config

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
)

func TestOptionsErrors(t *testing.T) {
	absent := filepath.Join(t.TempDir(), "absent")
	garbage := filepath.Join(t.TempDir(), "garbage")
	if err := os.WriteFile(garbage, []byte("garbage"), 0o600); err != nil {
		t.Fatal(err)
	}
	setenv(t, nil)
	for _, c := range []struct {
		name     string
		nats     NATS
		variable string
	}{
		{"creds", NATS{Creds: absent}, "SUDOKU_NATS_CREDS"},
		{"creds", NATS{Creds: garbage}, "SUDOKU_NATS_CREDS"},
		{"nkey", NATS{NKey: absent}, "SUDOKU_NATS_NKEY"},
		{"nkey", NATS{NKey: garbage}, "SUDOKU_NATS_NKEY"},
		{"password", NATS{User: "u", PasswordFile: absent}, "SUDOKU_NATS_PASSWORD_FILE"},
		{"token", NATS{TokenFile: absent}, "SUDOKU_NATS_TOKEN_FILE"},
		{"CA", NATS{CA: absent}, "SUDOKU_NATS_CA"},
		{"CA", NATS{CA: garbage}, "SUDOKU_NATS_CA"},
		{"certificate", NATS{Cert: absent, Key: absent}, "SUDOKU_NATS_CERT"},
		{"certificate", NATS{Cert: garbage, Key: garbage}, "SUDOKU_NATS_CERT"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := c.nats.Options(Log{}.Logger(t.Output()))
			checkError(t, "Options", err, c.variable, "")
		})
	}
}

func TestOptions(t *testing.T) {
	options, err := NATS{User: "u", Password: "p", Inbox: "_INBOX_u"}.Options(Log{}.Logger(t.Output()))
	if err != nil {
		t.Fatal(err)
	}
	var got nats.Options
	for _, o := range options {
		if err := o(&got); err != nil {
			t.Fatal(err)
		}
	}
	if got.User != "u" || got.Password != "p" || got.InboxPrefix != "_INBOX_u" || got.MaxReconnect != -1 {
		t.Errorf("Options has user %q, password %q, inboxes %q, %d reconnects, want u, p, _INBOX_u, -1", got.User, got.Password, got.InboxPrefix, got.MaxReconnect)
	}
}

func TestGrant(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`nats: permissions violation: Permissions Violation for Subscription to "replies.worker.4k2.*"`, "subscribe to replies.worker.>"},
		{`nats: permissions violation: Permissions Violation for Subscription to "sudoku.v1.solve" using queue "sudoku-workers"`, "subscribe to sudoku.v1.solve in queue group sudoku-workers"},
		{`nats: permissions violation: Permissions Violation for Subscription to "$SRV.PING"`, "subscribe to $SRV.PING"},
		{`nats: permissions violation: Permissions Violation for Publish to "_INBOX.4k2.1"`, "publish to _INBOX.>"},
		{`nats: permissions violation: Permissions Violation for Publish to "_INBOX_requester.4k2.1"`, "publish to _INBOX_requester.>"},
		{`nats: permissions violation: Permissions Violation for Publish to "sudoku.v1.all"`, "publish to sudoku.v1.all"},
		{`nats: permissions violation: Permissions Violation for Publish to "$JS.ACK.SUDOKU_JOBS.workers.6.160.492.1796027631879700809.0"`, "publish to $JS.ACK.SUDOKU_JOBS.workers.>"},
		{`nats: permissions violation: Permissions Violation for Publish to "$JS.ACK._.WTco109l.SUDOKU_JOBS.workers.6.159.491.1796027569412535119.0"`, "publish to $JS.ACK.*.*.SUDOKU_JOBS.workers.>"},
		{`nats: permissions violation: Permissions Violation for Publish to "$JS.ACK.hub.WTco109l.SUDOKU_JOBS.workers.6.159.491.1796027569412535119.0.x7"`, "publish to $JS.ACK.*.*.SUDOKU_JOBS.workers.>"},
		{`nats: permissions violation: Permissions Violation for Publish to "$JS.API.CONSUMER.MSG.NEXT.SUDOKU_RESULTS.x7Jk"`, "publish to $JS.API.CONSUMER.MSG.NEXT.SUDOKU_RESULTS.*"},
		{`nats: permissions violation: Permissions Violation for Publish to "$JS.API.CONSUMER.MSG.NEXT.SUDOKU_JOBS.workers"`, "publish to $JS.API.CONSUMER.MSG.NEXT.SUDOKU_JOBS.workers"},
		{`nats: permissions violation: Permissions Violation for Publish to "sudoku.v1.results.1m8nszvzn9380t.failed.s12"`, "publish to sudoku.v1.results.*.failed.*"},
		{`nats: permissions violation: Permissions Violation for Subscription to "sudoku.v1.results.1m8nszvzn9380t.cancelled"`, "subscribe to sudoku.v1.results.*.cancelled"},
		{`nats: permissions violation`, "unknown"},
	} {
		if got := grant(c.in, "replies.worker"); got != c.want {
			t.Errorf("grant(%s) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestLogDoesNotRepeatItself(t *testing.T) {
	var b bytes.Buffer
	o := observer{log: Log{}.Logger(&b), inbox: "_INBOX"}
	violated := fmt.Errorf("%w: Permissions Violation for Publish to \"_INBOX.1\"", nats.ErrPermissionViolation)
	for range 2 {
		b.Reset()
		for range 3 {
			o.refused(nil, nats.ErrNoServers)
			o.refused(nil, nats.ErrAuthorization)
			o.failed(nil, &nats.Subscription{Subject: "s"}, nats.ErrSlowConsumer)
			o.failed(nil, nil, violated)
			o.failed(nil, nil, nats.ErrBadHeaderMsg)
		}
		if got := strings.Count(b.String(), "\n"); got != 5 {
			t.Errorf("log of 3 times 5 failures has %d lines, want 5:\n%s", got, b.String())
		}
		o.forget()
	}
	if !strings.Contains(b.String(), `missing="publish to _INBOX.>"`) {
		t.Errorf("log has no missing permission:\n%s", b.String())
	}
}

func TestObserverForgets(t *testing.T) {
	o := observer{}
	for i := range 10 * manyTexts {
		o.news(fmt.Sprint(i))
	}
	if len(o.said) > manyTexts {
		t.Errorf("observer remembers %d texts, want %d at most", len(o.said), manyTexts)
	}
}
