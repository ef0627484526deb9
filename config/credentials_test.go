package config

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"sudoku/worker/local/natstest"
)

// TestCredentials connects in each way, to a server that wants it so. The same
// connection without credentials must be refused.
func TestCredentials(t *testing.T) {
	for _, c := range []struct {
		name   string
		server func(*testing.T) (config string, n NATS)
	}{
		{"user and password", func(*testing.T) (string, NATS) {
			return "authorization { user: u, password: p }", NATS{User: "u", Password: "p"}
		}},
		{"token", func(*testing.T) (string, NATS) {
			return "authorization { token: t }", NATS{Token: "t"}
		}},
		{"user and password from a file", func(t *testing.T) (string, NATS) {
			return "authorization { user: u, password: p }", NATS{User: "u", PasswordFile: file(t, "password", []byte("p\n"))}
		}},
		{"token from a file", func(t *testing.T) (string, NATS) {
			return "authorization { token: t }", NATS{TokenFile: file(t, "token", []byte("t"))}
		}},
		{"nkey", nkeyServer},
		{"creds file", credsServer},
		{"TLS", func(t *testing.T) (string, NATS) {
			config, n := tlsServer(t, "")
			return config, NATS{CA: n.CA}
		}},
		{"TLS with a client certificate", func(t *testing.T) (string, NATS) { return tlsServer(t, "verify: true") }},
		{"TLS first", func(t *testing.T) (string, NATS) {
			config, n := tlsServer(t, "verify: true, handshake_first: true")
			n.TLSFirst = true
			return config, n
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			config, n := c.server(t)
			url := natstest.Start(t, config).URL
			options, err := n.Options(Log{}.Logger(t.Output()))
			if err != nil {
				t.Fatal(err)
			}
			nc, err := nats.Connect(url, options...)
			if err != nil {
				t.Fatalf("Connect = %v, want nil", err)
			}
			nc.Close()
			if nc, err := nats.Connect(url); err == nil {
				nc.Close()
				t.Error("Connect without credentials = nil, want an error")
			}
		})
	}
}

// TestSecretsAreReadAgain changes a secret while a client is connected, and has
// the server ask for it.
func TestSecretsAreReadAgain(t *testing.T) {
	for _, c := range []struct {
		name    string
		configs [2]string
		nats    func(file string) NATS
	}{
		{"password", [2]string{"authorization { user: u, password: a }", "authorization { user: u, password: b }"}, func(file string) NATS { return NATS{User: "u", PasswordFile: file} }},
		{"token", [2]string{"authorization { token: a }", "authorization { token: b }"}, func(file string) NATS { return NATS{TokenFile: file} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			secret := file(t, "secret", []byte("a"))
			options, err := c.nats(secret).Options(Log{}.Logger(t.Output()))
			if err != nil {
				t.Fatal(err)
			}
			for i, text := range []string{"a", "b"} {
				if err := os.WriteFile(secret, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				nc, err := nats.Connect(natstest.Start(t, c.configs[i]).URL, options...)
				if err != nil {
					t.Fatalf("Connect with secret %s = %v, want nil", text, err)
				}
				nc.Close()
			}
		})
	}
}

// file writes text to a new file and returns its name.
func file(t *testing.T, name string, text []byte) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// must ends the test for an error of making keys and the like.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func nkeyServer(t *testing.T) (string, NATS) {
	user := must(nkeys.CreateUser())
	config := fmt.Sprintf("authorization { users: [{ nkey: %s }] }", must(user.PublicKey()))
	return config, NATS{NKey: file(t, "user.nk", must(user.Seed()))}
}

// credsServer has an operator with one account with one user.
func credsServer(t *testing.T) (string, NATS) {
	operator, account, user := must(nkeys.CreateOperator()), must(nkeys.CreateAccount()), must(nkeys.CreateUser())
	operatorJWT := must(jwt.NewOperatorClaims(must(operator.PublicKey())).Encode(operator))
	accountKey := must(account.PublicKey())
	accountJWT := must(jwt.NewAccountClaims(accountKey).Encode(operator))
	userJWT := must(jwt.NewUserClaims(must(user.PublicKey())).Encode(account))
	config := fmt.Sprintf("operator: %s\nresolver: MEMORY\nresolver_preload: { %s: %s }", operatorJWT, accountKey, accountJWT)
	return config, NATS{Creds: file(t, "user.creds", must(jwt.FormatUserConfig(userJWT, must(user.Seed()))))}
}

// tlsServer has a certificate that signs itself, which the client uses as well,
// and more settings.
func tlsServer(t *testing.T, more string) (string, NATS) {
	key := must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "test"},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(time.Hour),
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA:                  true,
		BasicConstraintsValid: true,
	}
	der := must(x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key))
	cert := file(t, "cert.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	keyFile := file(t, "key.pem", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: must(x509.MarshalPKCS8PrivateKey(key))}))
	config := fmt.Sprintf("tls { cert_file: %q, key_file: %q, ca_file: %q, %s }", cert, keyFile, cert, more)
	return config, NATS{CA: cert, Cert: cert, Key: keyFile}
}
