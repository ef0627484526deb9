// Package config is what the programs read from the environment. Only they
// import it, and copy its fields into the options of the packages they use.
//
// Start with [Load]; [Usage] and [Markdown] are the table of what there is.
//
//	c, err := config.Load()
//	…
//	opts, err := c.NATS.Options(c.Log.Logger(stderr))
//	…
//	nc, err := nats.Connect(c.NATS.URL, opts...)
package config

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/kelseyhightower/envconfig"
)

const prefix = "SUDOKU"

// Config is the configuration of both programs. The tags name the variables:
// one with an envconfig tag is also read without the prefix, where the name
// with it is not set.
type Config struct {
	NATS   // without a field name: it would be a part of the variables' names
	Worker Worker
	Engine string `default:"auto" desc:"how batches are solved: auto, avx512, avx2 or scalar; auto is the fastest one that the CPU has"`
	HTTP   HTTP
	Log    Log
	Store  string `desc:"directory of durable jobs where there is no NATS server; empty means sudoku/jobs below XDG_STATE_HOME or ~/.local/state"`
}

// NATS is how to reach the NATS servers.
type NATS struct {
	URL          string `envconfig:"NATS_URL" desc:"NATS server, or several with commas; may hold user:password or a token"`
	Creds        string `envconfig:"NATS_CREDS" desc:"file with a user's JWT and seed"`
	NKey         string `envconfig:"NATS_NKEY" desc:"file with a user's nkey seed"`
	User         string `envconfig:"NATS_USER" desc:"user name"`
	Password     Secret `envconfig:"NATS_PASSWORD" desc:"password of the user"`
	PasswordFile string `envconfig:"NATS_PASSWORD_FILE" desc:"file with the password, which is read again for each connection"`
	Token        Secret `envconfig:"NATS_TOKEN" desc:"token, instead of a user"`
	TokenFile    string `envconfig:"NATS_TOKEN_FILE" desc:"file with the token, which is read again for each connection"`
	CA           string `envconfig:"NATS_CA" desc:"file with the certificates that sign the server's (PEM); turns TLS on"`
	Cert         string `envconfig:"NATS_CERT" desc:"file with the client's certificate (PEM)"`
	Key          string `envconfig:"NATS_KEY" desc:"file with the key of the client's certificate (PEM)"`
	TLSFirst     bool   `envconfig:"NATS_TLS_FIRST" default:"false" desc:"turns TLS on, before the server says a word: for those with handshake_first"`
	Inbox        string `envconfig:"NATS_INBOX" desc:"where replies arrive: subjects below this one, instead of _INBOX"`
}

// Worker is how a worker works, also the one inside the producer.
type Worker struct {
	Concurrency int           `default:"0" desc:"requests answered at a time, 0 to 1024; 0 means one per CPU"`
	Timeout     time.Duration `default:"10s" desc:"time limit for one puzzle, 1ms to 24h"`
	Backlog     int           `default:"65536" desc:"puzzles that may wait before requests are refused as busy, 1 to 1048576"`
}

// Log is what the programs say on standard error.
type Log struct {
	Format string `default:"text" desc:"form of the log: text or json"`
	Level  string `default:"info" desc:"least important messages in the log: debug, info, warn or error"`
}

// An Error is a variable with a value that cannot be used, or one that does
// not exist; or it is a context of the nats program that cannot be used.
type Error struct {
	Name string // of the variable, or "context" and that of the context
	Text string // what is wrong with it
}

func (e *Error) Error() string { return e.Name + ": " + e.Text }

// Load reads the environment. A variable that is empty counts as not set, and
// is removed. The error is an [*Error]: a value that cannot be read or is out
// of range, or a variable that begins with SUDOKU_ but is none of ours.
func Load() (Config, error) {
	dropEmpty()
	if err := checkNames(os.Environ()); err != nil {
		return Config{}, err
	}
	var c Config
	if err := envconfig.Process(prefix, &c); err != nil {
		return Config{}, readable(err)
	}
	if err := c.check(); err != nil {
		return Config{}, err
	}
	return c, nil
}

// dropEmpty removes our variables that are empty, which envconfig would read
// as values.
func dropEmpty() {
	for _, v := range variables() {
		for _, name := range []string{v.Name, v.Short} {
			if name != "" && os.Getenv(name) == "" {
				os.Unsetenv(name)
			}
		}
	}
}

// readable says what [envconfig.Process] says, in one line for people.
func readable(err error) error {
	var p *envconfig.ParseError
	if !errors.As(err, &p) {
		return err
	}
	want := map[string]string{"int": "a whole number", "bool": "true or false", "time.Duration": "a duration such as 10s or 500ms"}[p.TypeName]
	return &Error{Name: p.KeyName, Text: fmt.Sprintf("%q is not %s", p.Value, want)}
}

func (c Config) check() error {
	return cmp.Or(
		within("SUDOKU_WORKER_CONCURRENCY", c.Worker.Concurrency, 0, 1024),
		within("SUDOKU_WORKER_TIMEOUT", c.Worker.Timeout, time.Millisecond, 24*time.Hour),
		within("SUDOKU_WORKER_BACKLOG", c.Worker.Backlog, 1, 1<<20),
		oneOf("SUDOKU_ENGINE", c.Engine, "auto", "avx512", "avx2", "scalar"),
		oneOf("SUDOKU_LOG_FORMAT", c.Log.Format, "text", "json"),
		oneOf("SUDOKU_LOG_LEVEL", c.Log.Level, "debug", "info", "warn", "error"),
		c.HTTP.check(),
		c.NATS.check(),
	)
}

func within[T int | time.Duration](name string, v, least, most T) error {
	if v < least || v > most {
		return &Error{Name: name, Text: fmt.Sprintf("%v is not from %v to %v", v, least, most)}
	}
	return nil
}

func oneOf(name, v string, want ...string) error {
	if !slices.Contains(want, v) {
		return &Error{Name: name, Text: fmt.Sprintf("%q is not one of %q", v, want)}
	}
	return nil
}
