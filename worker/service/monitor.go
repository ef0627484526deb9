package service

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"runtime"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"sudoku/solver"
	"sudoku/solver/wire"
)

// A monitor answers the discovery requests of the NATS service specification,
// https://github.com/nats-io/nats-architecture-and-design/blob/main/adr/ADR-32.md.
type monitor struct {
	identity  micro.ServiceIdentity
	started   time.Time
	endpoints []*endpoint
	pool      *pool
	subs      []*nats.Subscription
}

func newMonitor(s *Service) *monitor {
	return &monitor{
		identity: micro.ServiceIdentity{
			Name:    wire.Service,
			ID:      rand.Text(),
			Version: s.options.Version,
			Metadata: map[string]string{
				"concurrency": strconv.Itoa(s.options.Concurrency),
				"engine":      solver.EngineInUse().String(),
				"go":          runtime.Version(),
			},
		},
		started:   time.Now().UTC(),
		endpoints: s.endpoints,
		pool:      s.pool,
	}
}

// Limits of the discovery requests that wait for an answer. Whoever sends more at a
// time gets no answer to the rest.
const (
	maxAsked      = 1 << 12 // messages of a subject
	maxAskedBytes = 1 << 20
)

// subscribe takes each verb in its three forms: to all services, to those of
// this name, and to this one alone.
func (m *monitor) subscribe(nc *nats.Conn) error {
	verbs := map[micro.Verb]func() any{
		micro.PingVerb:  func() any { return m.ping() },
		micro.InfoVerb:  func() any { return m.info() },
		micro.StatsVerb: func() any { return m.stats() },
	}
	for verb, answer := range verbs {
		for _, to := range [][2]string{{}, {m.identity.Name}, {m.identity.Name, m.identity.ID}} {
			subject, err := micro.ControlSubject(verb, to[0], to[1])
			if err != nil {
				return fmt.Errorf("naming a subject of discovery: %w", err)
			}
			sub, err := nc.Subscribe(subject, func(r *nats.Msg) { respond(r, answer()) })
			if err == nil {
				err = sub.SetPendingLimits(maxAsked, maxAskedBytes)
			}
			if err != nil {
				return fmt.Errorf("subscribing to %s: %w", subject, err)
			}
			m.subs = append(m.subs, sub)
		}
	}
	return nil
}

func (m *monitor) unsubscribe() {
	for _, sub := range m.subs {
		sub.Unsubscribe()
	}
}

func respond(r *nats.Msg, answer any) {
	body, err := json.Marshal(answer)
	if err != nil {
		panic(err) // these types can be marshalled
	}
	r.Respond(body)
}

func (m *monitor) ping() micro.Ping {
	return micro.Ping{ServiceIdentity: m.identity, Type: micro.PingResponseType}
}

func (m *monitor) info() micro.Info {
	i := micro.Info{ServiceIdentity: m.identity, Type: micro.InfoResponseType, Description: "solves Sudoku puzzles"}
	for _, e := range m.endpoints {
		i.Endpoints = append(i.Endpoints, e.info())
	}
	return i
}

func (m *monitor) stats() micro.Stats {
	s := micro.Stats{ServiceIdentity: m.identity, Type: micro.StatsResponseType, Started: m.started}
	for _, e := range m.endpoints {
		s.Endpoints = append(s.Endpoints, e.stats(m.pool.waiting.Load()))
	}
	return s
}
