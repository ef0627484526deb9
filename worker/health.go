package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"sudoku/config"
)

// Paths of the probes.
const (
	pathAlive = "/healthz"
	pathReady = "/readyz"
)

// probeTimeout bounds worker health. It is less than what container runtimes give
// a probe.
const probeTimeout = 2 * time.Second

// health is worker health: it asks a worker on this machine how it is, for
// container images that have no other program to do so. The error is that it is
// not well.
func health(ctx context.Context, args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("health", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	addr := flags.String("addr", "", "")
	alive := flags.Bool("alive", false, "")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		usage(stdout)
		return nil
	case err != nil:
		return fmt.Errorf("%v: %w", err, errUsage)
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected argument %q: %w", flags.Arg(0), errUsage)
	}
	host, err := probed(*addr)
	if err != nil {
		return err
	}
	path := pathReady
	if *alive {
		path = pathAlive
	}
	return probe(ctx, "http://"+host+path, stdout)
}

// probed returns where the worker listens: at addr, or where the environment
// says.
func probed(addr string) (string, error) {
	if addr == "" {
		c, err := config.Load()
		if err != nil {
			return "", err
		}
		if addr = c.HTTP.Addr; addr == "" {
			return "", fmt.Errorf("health needs --addr or SUDOKU_HTTP_ADDR: %w", errUsage)
		}
	}
	addr, err := config.ParseAddr(addr)
	if err != nil {
		return "", fmt.Errorf("--addr: %v: %w", err, errUsage)
	}
	host, port, err := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return net.JoinHostPort(host, port), err
}

// probe prints what is at url. The error is that it is not there, or not a 200.
func probe(ctx context.Context, url string, stdout io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	answer, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, 4<<10))
	text := strings.TrimSpace(string(body))
	switch {
	case err != nil:
		return err
	case answer.StatusCode != http.StatusOK:
		return errors.New(text)
	}
	fmt.Fprintln(stdout, text)
	return nil
}
