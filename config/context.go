package config

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/nats-io/nats.go"
)

// A natsContext is what the nats program keeps about servers, under a name. Its
// files are those of https://github.com/nats-io/jsm.go/tree/main/natscontext. (That
// package would bring a JetStream manager, parts of the server, and an expression
// language.)
type natsContext struct {
	URL         string `json:"url"`
	Creds       string `json:"creds"`
	NKey        string `json:"nkey"`
	User        string `json:"user"`
	Password    Secret `json:"password"`
	Token       Secret `json:"token"`
	CA          string `json:"ca"`
	Cert        string `json:"cert"`
	Key         string `json:"key"`
	TLSFirst    bool   `json:"tls_first"`
	InboxPrefix string `json:"inbox_prefix"`
}

// unsupported are settings of a context without which its connection would be
// another one.
var unsupported = []string{"nsc", "user_jwt", "user_seed", "socks_proxy", "jetstream_domain", "jetstream_api_prefix", "windows_cert_store"}

// WithContext returns n, completed by what the nats program has saved under a
// name. What n says goes first: where it has a URL it stays as it is, so that the
// secrets of the context are shown to no other servers; where it says who we are,
// the context does not. The error is an [*Error] with the name of the context.
func (n NATS) WithContext(name string) (NATS, error) {
	if n.URL != "" {
		return n, nil
	}
	saved, err := readContext(name)
	if err != nil {
		return NATS{}, &Error{Name: "context " + name, Text: err.Error()}
	}
	return n.or(saved), nil
}

// or returns n, with what it does not say taken from other.
func (n NATS) or(other NATS) NATS {
	n.URL = cmp.Or(n.URL, other.URL)
	if n.ways() == 0 {
		n.Creds, n.NKey, n.User, n.Password, n.Token = other.Creds, other.NKey, other.User, other.Password, other.Token
	}
	if n.Cert == "" {
		n.Cert, n.Key = other.Cert, other.Key
	}
	n.CA = cmp.Or(n.CA, other.CA)
	n.TLSFirst = n.TLSFirst || other.TLSFirst
	n.Inbox = cmp.Or(n.Inbox, other.Inbox)
	return n
}

// readContext reads and checks a context, the files that it names too.
func readContext(name string) (NATS, error) {
	path, err := contextPath(name)
	if err != nil {
		return NATS{}, err
	}
	text, err := readFile(path, maxContext)
	if err != nil {
		return NATS{}, err
	}
	saved, err := parseContext(text)
	if err != nil {
		return NATS{}, fmt.Errorf("%s: %w", path, err)
	}
	return saved, nil
}

// contextPath returns the file of a context.
func contextPath(name string) (string, error) {
	if name == "" || strings.ContainsAny(name, `/\`) || strings.Contains(name, "..") {
		return "", errors.New("not a name of a context, as nats context ls prints them")
	}
	dir := os.Getenv("XDG_CONFIG_HOME")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(home, ".config")
	}
	return filepath.Join(dir, "nats", "context", name+".json"), nil
}

// maxContext is more than a context takes.
const maxContext = 64 << 10

// parseContext reads the text of a context. What is wrong is named as there.
func parseContext(text []byte) (NATS, error) {
	var c natsContext
	var all map[string]any
	if json.Unmarshal(text, &c) != nil || json.Unmarshal(text, &all) != nil {
		return NATS{}, errors.New("not JSON of the nats program") // nor what encoding/json says: it may quote a secret
	}
	for _, field := range unsupported {
		if v := all[field]; v != nil && v != "" {
			return NATS{}, fmt.Errorf("%s is not supported", field)
		}
	}
	for field, v := range map[string]string{"creds": c.Creds, "nkey": c.NKey, "password": string(c.Password), "token": string(c.Token)} {
		if reference.MatchString(v) {
			return NATS{}, fmt.Errorf("%s: a reference to where the secret is kept is not supported", field)
		}
	}
	n := NATS{
		URL:      cmp.Or(c.URL, nats.DefaultURL),
		Creds:    expand(c.Creds),
		NKey:     expand(c.NKey),
		User:     c.User,
		Password: c.Password,
		Token:    c.Token,
		CA:       expand(c.CA),
		Cert:     expand(c.Cert),
		Key:      expand(c.Key),
		TLSFirst: c.TLSFirst,
		Inbox:    c.InboxPrefix,
	}
	err := n.check()
	if err == nil {
		_, err = n.credentials()
	}
	if wrong := new(Error); errors.As(err, &wrong) {
		_, short, _ := strings.Cut(wrong.Name, "NATS_")
		err = fmt.Errorf("%s: %s", strings.ToLower(short), wrong.Text)
	}
	return n, err
}

// reference matches what the nats program looks up elsewhere, in a password
// manager for instance.
var reference = regexp.MustCompile(`^((op|nsc|env|file)://|data:)`)

// expand replaces $NAME and ~ at the beginning of a path, as the nats program
// does.
func expand(path string) string {
	path = os.ExpandEnv(path)
	if home, err := os.UserHomeDir(); err == nil && strings.HasPrefix(path, "~") {
		return home + path[1:]
	}
	return path
}
