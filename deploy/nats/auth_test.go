// Package nats tests who may do what on the NATS servers.
package nats

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"go.uber.org/goleak"

	"sudoku/config"
	"sudoku/producer/client"
	"sudoku/producer/client/jobs"
	"sudoku/solver"
	"sudoku/solver/wire"
	work "sudoku/worker/jobs"
	"sudoku/worker/local/natstest"
	"sudoku/worker/service"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	puzzle   = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
	solution = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
)

var users = []string{"worker", "requester", "submitter", "reader", "admin", "monitor"}

// startServer starts a server with our users, that takes their word for who they
// are: it has no certificates to go by.
func startServer(t *testing.T, more ...string) *natstest.Server {
	t.Helper()
	return natstest.Start(t, natstest.JetStream(t)+"include auth.conf\n"+strings.Join(more, "\n"))
}

// A log takes what a program would write to its log, line by line.
type log chan string

func newLog() log { return make(log, 1000) }

func (l log) Write(line []byte) (int, error) {
	l <- string(line)
	return len(line), nil
}

// missing waits for the line that names a missing grant, and returns the name.
func (l log) missing(t *testing.T) string {
	t.Helper()
	for {
		select {
		case line := <-l:
			if _, rest, ok := strings.Cut(line, `missing="`); ok {
				name, _, _ := strings.Cut(rest, `"`)
				return name
			}
		case <-time.After(time.Minute):
			t.Error("the log names no missing grant")
			return ""
		}
	}
}

// connect connects as both programs do.
func connect(t *testing.T, s *natstest.Server, user string, l log) *nats.Conn {
	t.Helper()
	options, err := config.NATS{User: user, Inbox: "_INBOX_" + user}.Options(slog.New(slog.NewTextHandler(l, nil)))
	if err != nil {
		t.Fatal(err)
	}
	nc, err := nats.Connect(s.URL, options...)
	if err != nil {
		t.Fatalf("Connect as %s = %v, want nil", user, err)
	}
	t.Cleanup(nc.Close)
	return nc
}

// quiet connects, and wants no grant to be missing until the test ends.
func quiet(t *testing.T, s *natstest.Server, user string) *nats.Conn {
	t.Helper()
	nc := connect(t, s, user, newLog())
	t.Cleanup(func() {
		if err := nc.LastError(); err != nil {
			t.Errorf("connection of %s: %v, want no error", user, err)
		}
	})
	return nc
}

// A verb is one of the two things that need a permission.
type verb struct {
	name string
	do   func(nc *nats.Conn, subject string) error
}

var (
	publish   = verb{"publish to", func(nc *nats.Conn, subject string) error { return nc.Publish(subject, nil) }}
	subscribe = verb{"subscribe to", func(nc *nats.Conn, subject string) error {
		subject, queue, _ := strings.Cut(subject, " in queue group ")
		_, err := nc.QueueSubscribeSync(subject, queue)
		return err
	}}
)

// grants are all subjects that anybody in this system uses, some that nobody
// does, and who may do so.
var grants = []struct {
	verb
	subjects string // separated by commas
	users    string
}{
	{publish, "sudoku.v1.solve,sudoku.v1.count,sudoku.v1.all", "requester"},
	{publish, "sudoku.v1.jobs.j,sudoku.v1.jobs.j.manifest", "submitter admin"},
	{publish, "sudoku.v1.jobs.j.other", "admin"},
	{publish, "sudoku.v1.results.j,sudoku.v1.results.j.failed.s1,sudoku.v1.results.j.manifest,sudoku.v1.dead.j", "worker"},
	{publish, "sudoku.v1.results.j.cancelled", "admin"},
	{publish, "sudoku.v1.results.j.other,sudoku.v1.dead.j.other,sudoku.v1.other,sudoku.v2.solve,sudoku,other", ""},
	{publish, "$SRV.PING,$SRV.INFO.sudoku,$SRV.STATS.sudoku.id", "monitor"},
	{publish, "$SRV.PING.other,$SRV.STATS.other.id,$SRV.OTHER,$SRV.OTHER.sudoku", ""},

	{publish, "_INBOX_requester.1,_INBOX_monitor.1.2", "worker"},
	{publish, "_INBOX.1,_INBOX_worker.1,_INBOX_submitter.1,_INBOX_reader.1,_INBOX_admin.1", ""},

	{publish, "$JS.API.STREAM.CREATE.SUDOKU_JOBS,$JS.API.STREAM.CREATE.SUDOKU_RESULTS,$JS.API.STREAM.CREATE.SUDOKU_DEAD", "admin"},
	{publish, "$JS.API.STREAM.UPDATE.SUDOKU_JOBS,$JS.API.STREAM.UPDATE.SUDOKU_RESULTS,$JS.API.STREAM.UPDATE.SUDOKU_DEAD", "admin"},
	{publish, "$JS.API.STREAM.INFO.SUDOKU_JOBS,$JS.API.STREAM.INFO.SUDOKU_RESULTS", "submitter reader admin monitor"},
	{publish, "$JS.API.STREAM.INFO.SUDOKU_DEAD", "admin monitor"},
	{publish, "$JS.API.STREAM.PURGE.SUDOKU_JOBS,$JS.API.STREAM.PURGE.SUDOKU_RESULTS,$JS.API.STREAM.MSG.DELETE.SUDOKU_DEAD", "admin"},
	{publish, "$JS.API.STREAM.PURGE.SUDOKU_DEAD,$JS.API.STREAM.MSG.DELETE.SUDOKU_JOBS,$JS.API.STREAM.MSG.DELETE.SUDOKU_RESULTS", ""},
	{publish, "$JS.API.STREAM.DELETE.SUDOKU_JOBS,$JS.API.STREAM.DELETE.SUDOKU_RESULTS,$JS.API.STREAM.DELETE.SUDOKU_DEAD", ""},
	{publish, "$JS.API.STREAM.SNAPSHOT.SUDOKU_JOBS,$JS.API.STREAM.RESTORE.SUDOKU_JOBS,$JS.API.STREAM.MSG.GET.SUDOKU_JOBS", ""},
	{publish, "$JS.API.INFO,$JS.API.STREAM.NAMES,$JS.API.STREAM.LIST,$JS.API.STREAM.CREATE.OTHER,$JS.API.STREAM.INFO.OTHER", ""},
	{publish, "$JS.API.DIRECT.GET.SUDOKU_JOBS,$JS.API.DIRECT.GET.SUDOKU_RESULTS", "submitter reader admin"},
	{publish, "$JS.API.DIRECT.GET.SUDOKU_DEAD", "admin"},

	{publish, "$JS.API.CONSUMER.MSG.NEXT.SUDOKU_JOBS.workers", "worker"},
	{publish, "$JS.ACK.SUDOKU_JOBS.workers.1.1.1.1.1,$JS.ACK._.hash.SUDOKU_JOBS.workers.1.1.1.1.1", "worker"},
	{publish, "$JS.ACK.OTHER.workers.1.1.1.1.1,$JS.ACK._.hash.OTHER.workers.1.1.1.1.1,$JS.ACK.SUDOKU_JOBS.other.1.1.1.1.1", ""},
	{publish, "$JS.API.CONSUMER.INFO.SUDOKU_JOBS.workers", "reader admin monitor"},
	{publish, "$JS.API.CONSUMER.CREATE.SUDOKU_JOBS.workers", "admin"},
	{publish, "$JS.API.CONSUMER.DELETE.SUDOKU_JOBS.workers,$JS.API.CONSUMER.PAUSE.SUDOKU_JOBS.workers", ""},
	{publish, "$JS.API.CONSUMER.CREATE.SUDOKU_JOBS.other,$JS.API.CONSUMER.CREATE.SUDOKU_JOBS,$JS.API.CONSUMER.MSG.NEXT.SUDOKU_JOBS.other", ""},
	{publish, "$JS.API.CONSUMER.CREATE.SUDOKU_RESULTS.c,$JS.API.CONSUMER.INFO.SUDOKU_RESULTS.c,$JS.API.CONSUMER.DELETE.SUDOKU_RESULTS.c,$JS.API.CONSUMER.MSG.NEXT.SUDOKU_RESULTS.c", "submitter reader"},
	{publish, "$JS.API.CONSUMER.CREATE.SUDOKU_DEAD.c,$JS.API.CONSUMER.INFO.SUDOKU_DEAD.c,$JS.API.CONSUMER.DELETE.SUDOKU_DEAD.c,$JS.API.CONSUMER.MSG.NEXT.SUDOKU_DEAD.c", "admin"},
	{publish, "$JS.API.CONSUMER.NAMES.SUDOKU_JOBS,$JS.API.CONSUMER.LIST.SUDOKU_RESULTS,$SYS.REQ.SERVER.PING", ""},

	{subscribe, "sudoku.v1.solve in queue group sudoku-workers,sudoku.v1.count in queue group sudoku-workers,sudoku.v1.all in queue group sudoku-workers", "worker"},
	{subscribe, "sudoku.v1.solve,sudoku.v1.solve in queue group other,sudoku.v1.*,sudoku.>,>", ""},
	{subscribe, "$SRV.PING,$SRV.INFO.sudoku,$SRV.STATS.sudoku.id", "worker"},
	{subscribe, "$SRV.PING.other,$SRV.STATS.other.id,$SRV.>,$SRV.*,$SRV.PING.>,$SRV.PING.*", ""},
	{subscribe, "sudoku.v1.results.j.cancelled", "submitter"},
	{subscribe, "sudoku.v1.jobs.j,sudoku.v1.results.j,sudoku.v1.dead.j,sudoku.v1.*.j,$JS.ACK.>,$JS.API.>,$JS.EVENT.>", ""},
	{subscribe, "_INBOX_worker.>", "worker"},
	{subscribe, "_INBOX_requester.>", "requester"},
	{subscribe, "_INBOX_submitter.>", "submitter"},
	{subscribe, "_INBOX_reader.>", "reader"},
	{subscribe, "_INBOX_admin.>", "admin"},
	{subscribe, "_INBOX_monitor.>", "monitor"},
	{subscribe, "_INBOX.>", ""},
}

// TestGrants tries everything as everybody. What is refused must be named.
func TestGrants(t *testing.T) {
	s := startServer(t)
	for _, user := range users {
		t.Run(user, func(t *testing.T) {
			for _, g := range grants {
				allowed := slices.Contains(strings.Fields(g.users), user)
				for subject := range strings.SplitSeq(g.subjects, ",") {
					checkGrant(t, s, user, g.verb, subject, allowed)
				}
			}
		})
	}
}

func checkGrant(t *testing.T, s *natstest.Server, user string, v verb, subject string, allowed bool) {
	t.Helper()
	l := newLog()
	nc := connect(t, s, user, l)
	defer nc.Close()
	if err := v.do(nc, subject); err != nil {
		t.Fatal(err)
	}
	if err := nc.Flush(); err != nil {
		t.Fatal(err)
	}
	refused := nc.LastError() // the server has said it before it answered the flush
	switch {
	case allowed && refused != nil:
		t.Errorf("%s %s as %s: %v, want it allowed", v.name, subject, user, refused)
	case !allowed && refused == nil:
		t.Errorf("%s %s as %s: allowed, want it refused", v.name, subject, user)
	case !allowed:
		if got, want := l.missing(t), v.name+" "+generic(subject); got != want {
			t.Errorf("%s %s as %s: the log misses the grant %q, want %q", v.name, subject, user, got, want)
		}
	}
}

// generic returns the subject of the grant for one that has a part that changes.
func generic(subject string) string {
	if first, _, _ := strings.Cut(subject, "."); strings.HasPrefix(first, "_INBOX") {
		return first + ".>"
	}
	return strings.NewReplacer(
		".jobs.j", ".jobs.*", ".results.j", ".results.*", ".dead.j", ".dead.*", ".failed.s1", ".failed.*",
		"RESULTS.c", "RESULTS.*", "DEAD.c", "DEAD.*", "_.hash", "*.*", ".1.1.1.1.1", ".>",
	).Replace(subject)
}

func TestStrangersAreRefused(t *testing.T) {
	s := startServer(t)
	for _, o := range [][]nats.Option{nil, {nats.UserInfo("stranger", "")}, {nats.Token("t")}} {
		if nc, err := nats.Connect(s.URL, o...); err == nil {
			nc.Close()
			t.Error("Connect as a stranger = nil, want an error")
		}
	}
}

func startService(t *testing.T, s *natstest.Server) *service.Service {
	t.Helper()
	w, err := service.Start(quiet(t, s, "worker"), service.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Stop(context.Background()) })
	return w
}

func TestRequests(t *testing.T) {
	s := startServer(t)
	startService(t, s)
	c, err := client.New(quiet(t, s, "requester"), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	g := parse(t, puzzle)
	if r, err := c.Solve(t.Context(), g); err != nil || r.Solution != parse(t, solution) {
		t.Errorf("Solve = %v, %v, want %s", r, err, solution)
	}
	if n, err := c.Count(t.Context(), g, 2); err != nil || n != 1 {
		t.Errorf("Count = %v, %v, want 1", n, err)
	}
	n := 0
	for _, err := range c.All(t.Context(), g, 2) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != 1 {
		t.Errorf("All yields %d solutions, want 1", n)
	}
}

func TestDiscovery(t *testing.T) {
	s := startServer(t)
	startService(t, s)
	nc := quiet(t, s, "monitor")
	for _, subject := range []string{"$SRV.PING", "$SRV.INFO.sudoku", "$SRV.STATS.sudoku"} {
		if _, err := nc.Request(subject, nil, time.Minute); err != nil {
			t.Errorf("Request(%s) = %v, want nil", subject, err)
		}
	}
}

// TestJobs has each user do the work that is his, with both forms of the subject
// of acknowledgements.
func TestJobs(t *testing.T) {
	for _, form := range []string{"v1", "v2"} {
		t.Run(form, func(t *testing.T) {
			s := startServer(t, fmt.Sprintf("feature_flags: { js_ack_fc_v2: %t }", form == "v2"))
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
			defer cancel()
			roles{t, ctx, jobsAs(t, s, "submitter"), jobsAs(t, s, "reader"), jobsAs(t, s, "admin"), jobsAs(t, s, "monitor")}.work(s)
		})
	}
}

func jobsAs(t *testing.T, s *natstest.Server, user string) *jobs.Client {
	t.Helper()
	c, err := jobs.New(quiet(t, s, user), jobs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

type roles struct {
	t                                 *testing.T
	ctx                               context.Context
	submitter, reader, admin, monitor *jobs.Client
}

// many is more puzzles than there are in the window of a submitter.
const many = 20_000

func (r roles) work(s *natstest.Server) {
	_, err := r.admin.Setup(r.ctx, jobs.Streams{AckWait: 10 * time.Second})
	r.check("Setup", err)
	_, err = r.admin.Setup(r.ctx, jobs.Streams{AckWait: 11 * time.Second, ResultsAge: time.Hour})
	r.check("another Setup", err)
	r.submit()
	r.cancel()
	r.submitGarbage(quiet(r.t, s, "submitter"))

	stop := startJobs(r.t, s)
	r.results("j", many, nil)
	r.results("garbage", wire.MaxPuzzles+1, new(wire.Error))
	r.dead()
	stop()

	r.solved()
}

func (r roles) check(call string, err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatalf("%s = %v, want nil", call, err)
	}
}

// submit submits a job, which is interrupted, and resumes it.
func (r roles) submit() {
	ctx, interrupt := context.WithCancel(r.ctx)
	_, err := r.submitter.Submit(ctx, "j", repeat(r.t, many, func(i int) {
		if i == many/2 {
			interrupt()
		}
	}))
	if !errors.Is(err, context.Canceled) {
		r.t.Fatalf("Submit, interrupted = %v, want %v", err, context.Canceled)
	}
	m, err := r.submitter.Resume(r.ctx, "j", repeat(r.t, many, func(int) {}))
	if err != nil || m.Puzzles != many {
		r.t.Fatalf("Resume = %v, %v, want %d puzzles", m, err, many)
	}
}

// cancel cancels a job that is being submitted.
func (r roles) cancel() {
	_, err := r.submitter.Submit(r.ctx, "cancelled", repeat(r.t, math.MaxInt, func(i int) {
		if i == many {
			r.check("Cancel", r.admin.Cancel(r.ctx, "cancelled"))
		}
	}))
	if !errors.Is(err, jobs.ErrCancelled) {
		r.t.Fatalf("Submit, cancelled = %v, want %v", err, jobs.ErrCancelled)
	}
	// What was stored meanwhile goes too.
	r.check("Cancel", r.admin.Cancel(r.ctx, "cancelled"))
}

// submitGarbage leaves a chunk that is no request, without the client, which does
// not do that.
func (r roles) submitGarbage(nc *nats.Conn) {
	for subject, body := range map[string]string{
		wire.JobSubject("garbage"):      strings.Repeat("\n", wire.MaxPuzzles+1),
		wire.ManifestSubject("garbage"): string(wire.JobManifest{Chunks: 1, Puzzles: wire.MaxPuzzles + 1}.Encode()),
	} {
		_, err := nc.RequestWithContext(r.ctx, subject, []byte(body))
		r.check("Request", err)
	}
}

// startJobs starts a worker, and returns what stops it when it has acknowledged
// what it has done.
func startJobs(t *testing.T, s *natstest.Server) (stop func()) {
	t.Helper()
	j, err := work.Start(quiet(t, s, "worker"), startService(t, s).Solve, work.Options{})
	if err != nil {
		t.Fatal(err)
	}
	stop = func() {
		if err := j.Stop(context.Background()); err != nil {
			t.Errorf("Stop = %v, want nil", err)
		}
	}
	t.Cleanup(stop)
	return stop
}

// results reads the answers of a job, which all come with the error want.
func (r roles) results(job string, want int, failure *wire.Error) {
	n := 0
	for a, err := range r.reader.Results(r.ctx, job, jobs.Reading{Follow: true}) {
		r.check("Results", err)
		if (failure == nil) != (a.Err == nil) || failure != nil && !errors.As(a.Err, &failure) {
			r.t.Fatalf("answer %d of %s: %v, want an error of type %T", n, job, a.Err, failure)
		}
		n++
	}
	if n != want {
		r.t.Fatalf("%d answers of %s, want %d", n, job, want)
	}
}

// dead has the garbage tried again, and removes it.
func (r roles) dead() {
	r.check("Retry", r.admin.Retry(r.ctx, r.letter()))
	r.results("garbage", wire.MaxPuzzles+1, new(wire.Error))
	r.check("Remove", r.admin.Remove(r.ctx, r.letter()))
}

// letter returns the sequence of the only dead letter.
func (r roles) letter() (sequence uint64) {
	n := 0
	for l, err := range r.admin.Dead(r.ctx, "") {
		r.check("Dead", err)
		sequence = l.Sequence
		n++
	}
	_, err := r.admin.Letter(r.ctx, sequence)
	r.check("Letter", err)
	if n != 1 {
		r.t.Fatalf("%d dead letters, want 1", n)
	}
	return sequence
}

// solved wants nothing to be left to do, and everybody who may look to see it.
func (r roles) solved() {
	for name, c := range map[string]*jobs.Client{"reader": r.reader, "admin": r.admin} {
		s, err := c.Status(r.ctx, "j")
		if err != nil || s.State() != "solved" || s.Pending != 0 {
			r.t.Errorf("Status as %s = %+v, %v, want it solved and nothing pending", name, s, err)
		}
	}
	for name, c := range map[string]*jobs.Client{"admin": r.admin, "monitor": r.monitor} {
		o, err := c.Overview(r.ctx)
		for err == nil && o.Waiting+o.InHand > 0 { // the server takes note of acknowledgements when it comes to it
			o, err = c.Overview(r.ctx)
		}
		if err != nil || o.Results == 0 {
			r.t.Errorf("Overview as %s = %+v, %v, want nothing to do and some results", name, o, err)
		}
	}
	for name, c := range map[string]*jobs.Client{"reader": r.reader, "admin": r.admin, "monitor": r.monitor} {
		if all, err := c.Jobs(r.ctx); err != nil || len(all) != 3 {
			r.t.Errorf("Jobs as %s = %v, %v, want 3", name, all, err)
		}
	}
}

// repeat yields a puzzle n times, and calls f before number i.
func repeat(t *testing.T, n int, f func(i int)) iter.Seq[jobs.Puzzle] {
	p := jobs.Puzzle{Grid: parse(t, puzzle)}
	return func(yield func(jobs.Puzzle) bool) {
		for i := range n {
			if f(i); !yield(p) {
				return
			}
		}
	}
}

func parse(t *testing.T, text string) solver.Grid {
	t.Helper()
	g, err := solver.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
