package config

import (
	"cmp"
	"errors"
	"log/slog"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// A connection that is lost tries each server again every half to one second,
// for ever: a worker has nothing better to do, and a producer has deadlines of
// its own. The jitter spreads those that lost the same server.
const (
	reconnectWait   = 500 * time.Millisecond
	reconnectJitter = 500 * time.Millisecond
)

// pingInterval finds a server that has gone without a word, as behind a broken
// network, after two to three intervals. The default of 2 minutes takes up to 6.
const pingInterval = 20 * time.Second

// flushWait is how long a new connection may take to answer. The server closes
// one that it finds stalled after 10 s.
const flushWait = 10 * time.Second

// Options returns what a connection needs besides the URL: the credentials,
// and the wish to connect again for ever when it is lost. What happens to the
// connection is written to log, missing permissions and messages that were
// dropped because this program was too slow among it. The error is an [*Error]:
// a file that cannot be read or is not what it should be.
func (n NATS) Options(log *slog.Logger) ([]nats.Option, error) {
	options, err := n.credentials()
	if err != nil {
		return nil, err
	}
	if n.Inbox != "" {
		options = append(options, nats.CustomInboxPrefix(n.Inbox))
	}
	o := observer{log: log, inbox: n.inbox()}
	return append(options,
		nats.MaxReconnects(-1),
		nats.ReconnectWait(reconnectWait),
		nats.ReconnectJitter(reconnectJitter, reconnectJitter),
		nats.PingInterval(pingInterval),
		nats.ConnectHandler(o.connected),
		nats.ReconnectHandler(o.connected),
		nats.ReconnectErrHandler(o.refused),
		nats.DisconnectErrHandler(o.disconnected),
		nats.ErrorHandler(o.failed),
	), nil
}

// Grant returns the permission that is missing where err, of a connection, is a
// violation, such as "publish to sudoku.v1.solve"; else it is empty.
func (n NATS) Grant(err error) string {
	if !errors.Is(err, nats.ErrPermissionViolation) {
		return ""
	}
	return grant(err.Error(), n.inbox())
}

func (n NATS) inbox() string { return cmp.Or(n.Inbox, strings.TrimSuffix(nats.InboxPrefix, ".")) }

// An observer writes to the log what happens to a connection.
type observer struct {
	log   *slog.Logger
	inbox string // the subjects of replies to us begin so

	mu   sync.Mutex
	said map[string]time.Time // what the log has, and when it got it
}

// quiet is how long the log does not repeat itself: a failure may come back with
// each message, or with each attempt to connect. Of more than manyTexts different
// ones it forgets which it has.
const (
	quiet     = time.Minute
	manyTexts = 100
)

// news reports whether the log does not have text yet.
func (o *observer) news(text string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if at, ok := o.said[text]; ok && time.Since(at) < quiet {
		return false
	}
	if o.said == nil || len(o.said) >= manyTexts {
		o.said = map[string]time.Time{}
	}
	o.said[text] = time.Now()
	return true
}

// forget makes everything news again.
func (o *observer) forget() {
	o.mu.Lock()
	defer o.mu.Unlock()
	clear(o.said)
}

// connected is told when the connection is there, or back. It says so once the
// server has the subscriptions too.
func (o *observer) connected(nc *nats.Conn) {
	if nc.FlushTimeout(flushWait) != nil {
		return // it is away again, or will be found so
	}
	o.forget()
	o.log.Info("connected", "server", nc.ConnectedAddr(), "reconnects", nc.Stats().Reconnects)
}

func (o *observer) disconnected(nc *nats.Conn, err error) {
	if !nc.IsClosed() {
		o.log.Warn("disconnected, trying to connect again", "error", err)
	}
}

// refused is told why an attempt to connect did not succeed.
func (o *observer) refused(_ *nats.Conn, err error) {
	if o.news(err.Error()) {
		o.log.Warn("not connected, still trying", "error", err)
	}
}

// failed is told what goes wrong while the connection is there.
func (o *observer) failed(_ *nats.Conn, sub *nats.Subscription, err error) {
	switch {
	case errors.Is(err, nats.ErrSlowConsumer) && sub != nil:
		if n, _ := sub.Dropped(); o.news("dropped of " + sub.Subject) {
			o.log.Error("messages dropped, this program is too slow", "subject", sub.Subject, "dropped", n)
		}
	case errors.Is(err, nats.ErrPermissionViolation):
		if missing := grant(err.Error(), o.inbox); o.news(missing) {
			o.log.Error("the server does not permit it", "missing", missing, "error", err)
		}
	case o.news(err.Error()):
		o.log.Error("connection error", "error", err)
	}
}

var violation = regexp.MustCompile(`(?i)Permissions Violation for (Subscription|Publish) to "([^"]+)"(?: using queue "([^"]+)")?`)

// grant returns the permission that a violation asks for.
func grant(violated, inbox string) string {
	m := violation.FindStringSubmatch(violated)
	if m == nil {
		return "unknown"
	}
	verb, subject, queue := m[1], generic(m[2], inbox), m[3]
	switch {
	case strings.EqualFold(verb, "Publish"):
		return "publish to " + subject
	case queue != "":
		return "subscribe to " + subject + " in queue group " + queue
	default:
		return "subscribe to " + subject
	}
}

// generic returns the subject to grant for one that has a part that changes: for
// inboxes, ours and those of others, and what is in changing.
func generic(subject, inbox string) string {
	first, _, _ := strings.Cut(subject, ".")
	switch {
	case strings.HasPrefix(subject, inbox+"."):
		return inbox + ".>"
	case strings.HasPrefix(first, "_INBOX"):
		return first + ".>"
	}
	for _, c := range changing {
		subject = c.match.ReplaceAllString(subject, c.grant)
	}
	return subject
}

// changing are subjects with the number of a message, the id of a job or the name
// of a passing consumer. An acknowledgement has the stream and the consumer, in the
// newer form the domain and the account before them, and then five numbers.
var changing = []struct {
	match *regexp.Regexp
	grant string
}{
	{regexp.MustCompile(`^\$JS\.ACK\.([^.]+\.[^.]+)(\.\d+){5}$`), `$$JS.ACK.$1.>`},
	{regexp.MustCompile(`^\$JS\.ACK\.[^.]+\.[^.]+\.([^.]+\.[^.]+)(\.\d+){5}(\.[^.]+)?$`), `$$JS.ACK.*.*.$1.>`},
	{regexp.MustCompile(`^(\$JS\.API\.CONSUMER\..+\.SUDOKU_(RESULTS|DEAD))\.[^.]+$`), `$1.*`},
	{regexp.MustCompile(`^(sudoku\.v1\.(jobs|results|dead))\.[^.]+`), `$1.*`},
	{regexp.MustCompile(`^(sudoku\.v1\.results\..+\.failed)\..+`), `$1.*`},
}
