package config

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go"
)

// check looks at what can be seen without the files.
func (n NATS) check() error {
	return cmp.Or(n.checkURLs(), n.checkUser(), n.checkCertificate(), n.checkInbox())
}

func (n NATS) checkURLs() error {
	if n.URL == "" {
		return nil
	}
	if err := CheckURL(n.URL); err != nil {
		return wrong("NATS_URL", "%v", err)
	}
	return nil
}

// CheckURL returns what is wrong with the URL of a NATS server, or several with
// commas. It does not quote them, nor what net/url says of them: a part of a
// password may be in there.
func CheckURL(urls string) error {
	websockets, servers := 0, strings.Split(urls, ",")
	for _, server := range servers {
		u, err := serverURL(server)
		switch {
		case err != nil:
			return errors.New("not a URL such as nats://127.0.0.1:4222; in a password write / as %2F, # as %23 and so on")
		case !slices.Contains([]string{"nats", "tls", "ws", "wss"}, u.Scheme):
			return fmt.Errorf("scheme %q, want nats, tls, ws or wss", u.Scheme)
		case !isPort(u.Port()):
			return fmt.Errorf("port %s, want one from 1 to 65535", u.Port())
		case u.Hostname() == "":
			return errors.New("a server without a host, want one such as nats://127.0.0.1:4222")
		}
		if strings.HasPrefix(u.Scheme, "ws") {
			websockets++
		}
	}
	if websockets > 0 && websockets < len(servers) {
		return errors.New("some servers with websockets and some without, want all alike")
	}
	return nil
}

// isPort reports whether a port may be one of a server; it may be missing.
func isPort(port string) bool {
	n, err := strconv.Atoi(port)
	return port == "" || err == nil && n >= 1 && n <= 65535
}

// serverURL reads one server of the list; its scheme may be missing.
func serverURL(server string) (*url.URL, error) {
	server = strings.TrimSpace(server)
	if !strings.Contains(server, "://") {
		server = "nats://" + server
	}
	return url.Parse(server)
}

func (n NATS) checkUser() error {
	switch {
	case n.ways() > 1:
		return wrong("NATS_CREDS", "set one of NATS_CREDS, NATS_NKEY, NATS_USER, NATS_TOKEN and NATS_TOKEN_FILE, not several")
	case n.Password != "" && n.User == "":
		return wrong("NATS_PASSWORD", "a password without NATS_USER")
	case n.PasswordFile != "" && n.User == "":
		return wrong("NATS_PASSWORD_FILE", "a password without NATS_USER")
	case n.PasswordFile != "" && n.Password != "":
		return wrong("NATS_PASSWORD_FILE", "set this or NATS_PASSWORD, not both")
	}
	return nil
}

// ways returns how many ways there are to say who we are.
func (n NATS) ways() (ways int) {
	for _, way := range []string{n.Creds, n.NKey, n.User, string(n.Token), n.TokenFile} {
		if way != "" {
			ways++
		}
	}
	return ways
}

func (n NATS) checkCertificate() error {
	switch {
	case n.Cert != "" && n.Key == "":
		return wrong("NATS_CERT", "a certificate without NATS_KEY")
	case n.Key != "" && n.Cert == "":
		return wrong("NATS_KEY", "a key without NATS_CERT")
	}
	return nil
}

func (n NATS) checkInbox() error {
	if n.Inbox == "" {
		return nil
	}
	for token := range strings.SplitSeq(n.Inbox, ".") {
		if token == "" || strings.ContainsAny(token, "*> \t\r\n") {
			return wrong("NATS_INBOX", "%q is not the beginning of a subject such as _INBOX_worker", n.Inbox)
		}
	}
	return nil
}

// wrong returns the error of a variable that is also read without the prefix,
// under the name that was used.
func wrong(short, format string, args ...any) error {
	name := prefix + "_" + short
	if os.Getenv(name) == "" && os.Getenv(short) != "" {
		name = short
	}
	return &Error{Name: name, Text: fmt.Sprintf(format, args...)}
}

// credentials returns the options that say who we are. The files are read here
// once, so that a fault in one of them is an error at the start and not an
// attempt to connect that never succeeds.
func (n NATS) credentials() ([]nats.Option, error) {
	if err := n.checkSecrets(); err != nil {
		return nil, err
	}
	var options []nats.Option
	for _, c := range []struct {
		short, value string
		option       func() (nats.Option, error)
	}{
		{"NATS_CREDS", n.Creds, just(nats.UserCredentials(n.Creds))},
		{"NATS_NKEY", n.NKey, func() (nats.Option, error) { return nats.NkeyOptionFromSeed(n.NKey) }},
		{"NATS_USER", n.User, just(n.user())},
		{"NATS_TOKEN", string(n.Token), just(nats.Token(string(n.Token)))},
		{"NATS_TOKEN_FILE", n.TokenFile, just(nats.TokenHandler(reader(n.TokenFile)))},
		{"NATS_CA", n.CA, just(nats.RootCAs(n.CA))},
		{"NATS_CERT", n.Cert, just(nats.ClientCert(n.Cert, n.Key))},
	} {
		if c.value == "" {
			continue
		}
		o, err := c.option()
		if err == nil {
			err = try(o)
		}
		if err != nil {
			return nil, wrong(c.short, "%s", strings.TrimPrefix(err.Error(), "nats: "))
		}
		options = append(options, o)
	}
	if n.TLSFirst {
		options = append(options, nats.TLSHandshakeFirst())
	}
	return options, nil
}

func (n NATS) checkSecrets() error {
	for short, file := range map[string]string{"NATS_PASSWORD_FILE": n.PasswordFile, "NATS_TOKEN_FILE": n.TokenFile} {
		if file == "" {
			continue
		}
		if _, err := readSecret(file); err != nil {
			return wrong(short, "%v", err)
		}
	}
	return nil
}

func (n NATS) user() nats.Option {
	if n.PasswordFile == "" {
		return nats.UserInfo(n.User, string(n.Password))
	}
	password := reader(n.PasswordFile)
	return nats.UserInfoHandler(func() (string, string) { return n.User, password() })
}

// reader returns a function that reads a secret once more, as nats.go does with
// the files of the other ways. Where it cannot, the server refuses the empty one.
func reader(file string) func() string {
	return func() string {
		secret, _ := readSecret(file)
		return string(secret)
	}
}

func just(o nats.Option) func() (nats.Option, error) {
	return func() (nats.Option, error) { return o, nil }
}

// try uses o as a connection would.
func try(o nats.Option) error {
	var all nats.Options
	if err := o(&all); err != nil {
		return err
	}
	if all.UserJWT == nil {
		return nil
	}
	if _, err := all.UserJWT(); err != nil {
		return err
	}
	_, err := all.SignatureCB([]byte("nonce"))
	return err
}
