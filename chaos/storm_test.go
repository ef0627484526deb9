package chaos

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"sudoku/producer/client"
	"sudoku/producer/client/jobs"
	"sudoku/solver"
	work "sudoku/worker/jobs"
	"sudoku/worker/service"
)

// Requests are answered while one server is restarted, and all else goes wrong.
func TestRequests(t *testing.T) {
	eachRound(t, func(t *testing.T, seed uint64) {
		newStorm(t, seed, restarts, newServer(t)).ask()
	})
}

// Requests are answered while a cluster loses one node after the other.
func TestRequestsToACluster(t *testing.T) {
	eachRound(t, func(t *testing.T, seed uint64) {
		newStorm(t, seed, outages, newCluster(t, 3)...).ask()
	})
}

// A job is done while the server is restarted, and all else goes wrong.
func TestJobInAStorm(t *testing.T) {
	eachRound(t, func(t *testing.T, seed uint64) {
		newStorm(t, seed, restarts, newServer(t)).submit()
	})
}

// A storm is a round of bad weather: clients and workers reach the servers
// through proxies, and after some answer or other something goes wrong.
type storm struct {
	t       *testing.T
	r       *rand.Rand
	servers []*server
	down    *server // of a cluster, the one that is away; nil if none is
	clients []*proxy
	workers []*worker
	durable bool // the workers are for jobs too
	faults  []fault
	calm    int // answers until the next fault
	report  *report
}

func newStorm(t *testing.T, seed uint64, ofServers fault, servers ...*server) *storm {
	s := &storm{t: t, r: source(seed, "faults"), servers: servers, faults: append([]fault{ofServers}, faults...), calm: 1}
	s.report = newReport(newExam(seed, number(stormPuzzles)))
	return s
}

func (s *storm) startWorkers() {
	for range 3 {
		s.workers = append(s.workers, s.newWorker())
	}
	s.t.Cleanup(func() {
		for _, w := range s.workers {
			w.kill()
		}
	})
}

// ask has the puzzles solved by requests.
func (s *storm) ask() {
	s.startWorkers()
	c, err := client.New(s.newClient(), client.Options{
		Batch: 8 + s.r.IntN(64), Window: 4 + s.r.IntN(64),
		Retries: 1000, ReplyWait: 250 * time.Millisecond,
	})
	if err != nil {
		s.t.Fatal(err)
	}
	defer c.Close()
	s.awaitWorkers(c)
	defer s.report.log(s.t)
	for a, err := range c.SolveAll(s.t.Context(), s.report.exam.grids()) {
		s.take(a.Index, a.Result, err, 500)
	}
}

// submit has the puzzles solved as a job. Its faults come less often, because it
// takes seconds until a worker that was killed is missed.
func (s *storm) submit() {
	s.durable = true
	s.startWorkers()
	submitter, reader := s.newJobs(), s.newJobs()
	if _, err := submitter.Setup(s.t.Context(), jobs.Streams{AckWait: 5 * time.Second}); err != nil {
		s.t.Fatal(err)
	}
	var submitting sync.WaitGroup
	defer submitting.Wait()
	submitting.Go(func() {
		if _, err := submitter.Submit(s.t.Context(), id, s.report.exam.lines); err != nil {
			s.t.Errorf("Submit = %v, want nil", err)
		}
	})
	defer s.report.log(s.t)
	for a, err := range reader.Results(s.t.Context(), id, jobs.Reading{Follow: true}) {
		if err != nil {
			s.t.Fatalf("Results = %v, want nil", err)
		}
		s.take(a.Index, a.Result, a.Err, 2000)
	}
}

func (s *storm) newJobs() *jobs.Client {
	c, err := jobs.New(s.newClient(), jobs.Options{})
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

// take looks at an answer. The next fault comes after spell others at most.
func (s *storm) take(index int, r solver.Result, err error, spell int) {
	s.report.take(index, r, err)
	if s.calm--; s.calm > 0 {
		return
	}
	s.calm = 1 + s.r.IntN(spell)
	f := s.faults[s.r.IntN(len(s.faults))]
	f.do(s)
	s.report.faults[f.name]++
}

// A fault goes wrong, or puts right what went wrong before.
type fault struct {
	name string
	do   func(*storm)
}

// faults are those that can be anywhere.
var faults = []fault{
	{"workers killed", func(s *storm) { s.replace((*worker).kill) }},
	{"workers drained", func(s *storm) { s.replace((*worker).drain) }},
	{"connections cut", func(s *storm) { s.anyProxy().cut() }},
	{"black holes", func(s *storm) { s.anyProxy().swallow() }},
	{"slow networks", func(s *storm) { s.anyProxy().behave(time.Duration(1+s.r.IntN(5))*time.Millisecond, false, 0) }},
	{"replies doubled", func(s *storm) { s.anyWorker().proxy.behave(0, true, 0) }},
	{"replies delayed", func(s *storm) { s.anyWorker().proxy.behave(0, false, 1+s.r.IntN(4)) }},
	{"better weather", (*storm).clear},
}

var (
	restarts = fault{"restarts", func(s *storm) { s.servers[0].restart(ending(s.r)) }}
	outages  = fault{"nodes lost or back", (*storm).outage}
)

// connect returns a connection that notices soon when it leads nowhere.
func (s *storm) connect(p *proxy) *nats.Conn {
	nc, err := nats.Connect(p.url(),
		nats.MaxReconnects(-1), nats.RetryOnFailedConnect(true),
		nats.ReconnectWait(10*time.Millisecond), nats.ReconnectJitter(0, 0), nats.PingInterval(250*time.Millisecond),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	if err != nil {
		s.t.Fatal(err)
	}
	return nc
}

// newProxy returns a proxy before any of the servers that is there.
func (s *storm) newProxy() *proxy {
	first := s.r.IntN(len(s.servers))
	return newProxy(s.t, slices.Concat(s.servers[first:], s.servers[:first])...)
}

// newClient returns a connection through a proxy of its own.
func (s *storm) newClient() *nats.Conn {
	p := s.newProxy()
	s.clients = append(s.clients, p)
	nc := s.connect(p)
	s.t.Cleanup(nc.Close)
	return nc
}

func (s *storm) newWorker() *worker {
	w := &worker{proxy: s.newProxy()}
	w.nc = s.connect(w.proxy)
	var err error
	if w.service, err = service.Start(w.nc, service.Options{}); err != nil {
		s.t.Fatal(err)
	}
	if !s.durable {
		return w
	}
	if w.jobs, err = work.Start(w.nc, w.service.Solve, work.Options{}); err != nil {
		s.t.Fatal(err)
	}
	return w
}

// awaitWorkers returns when the servers have told each other of the workers.
func (s *storm) awaitWorkers(c *client.Client) {
	for {
		_, err := c.Solve(s.t.Context(), originals[0].puzzle)
		if err == nil {
			return
		}
		if !errors.Is(err, client.ErrNoWorkers) {
			s.t.Fatal(err)
		}
	}
}

func (s *storm) anyWorker() *worker { return s.workers[s.r.IntN(len(s.workers))] }

func (s *storm) anyProxy() *proxy {
	i := s.r.IntN(len(s.workers) + len(s.clients))
	if i < len(s.workers) {
		return s.workers[i].proxy
	}
	return s.clients[i-len(s.workers)]
}

// replace ends a worker, and starts another one before or after that.
func (s *storm) replace(end func(*worker)) {
	i := s.r.IntN(len(s.workers))
	old := s.workers[i]
	if s.r.IntN(2) == 0 {
		end(old)
		s.workers[i] = s.newWorker()
		return
	}
	s.workers[i] = s.newWorker()
	end(old)
}

// clear ends what is wrong with the networks.
func (s *storm) clear() {
	for _, p := range s.clients {
		p.behave(0, false, 0)
	}
	for _, w := range s.workers {
		w.proxy.behave(0, false, 0)
	}
}

// outage kills a node of the cluster, or brings back the one that is away.
func (s *storm) outage() {
	if s.down == nil {
		s.down = s.servers[s.r.IntN(len(s.servers))]
		s.down.end(ending(s.r))
		return
	}
	s.down.start()
	s.down = nil
}

// A worker is one for requests, and perhaps for jobs.
type worker struct {
	proxy   *proxy
	nc      *nats.Conn
	service *service.Service
	jobs    *work.Jobs // nil if it does none
}

// kill ends the worker without a word to anybody.
func (w *worker) kill() {
	w.proxy.close()
	w.nc.Close()
	over, cancel := context.WithCancel(context.Background())
	cancel()
	w.stop(over)
}

// drain ends the worker when what it has is answered.
func (w *worker) drain() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	w.stop(ctx)
	w.nc.Close()
	w.proxy.close()
}

// stop ends the work. What it says does not matter: it may be cut short, or have
// lost its connection.
func (w *worker) stop(ctx context.Context) {
	if w.jobs != nil {
		_ = w.jobs.Stop(ctx)
	}
	_ = w.service.Stop(ctx)
}
