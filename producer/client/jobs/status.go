package jobs

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"sudoku/solver/wire"
)

// Status is how far a job is.
type Status struct {
	Job         string
	Complete    bool          // everything is submitted: the manifest is there
	Cancelled   bool          // by [Client.Cancel]
	Chunks      int           // of the job; 0 unless Complete
	Puzzles     int           // of the job; 0 unless Complete
	Done        int           // chunks with answers
	Failed      int           // chunks the workers gave up
	Pending     int           // chunks that wait for workers or are with them
	Expired     int           // chunks whose answers are not kept any more; 0 in a list
	Redelivered int           // chunks, of all jobs, that were delivered again and are with workers
	Started     time.Time     // when the first result was stored; zero where there is none
	Last        time.Time     // when the last one was
	Rate        float64       // puzzles a second since Started; 0 where it is not known
	Left        time.Duration // until everything submitted is solved, at that rate; 0 where it is not known
}

// State is a word for how far the job is: submitting, solving, solved, failed
// (done, but for some chunks), expired (it was done, and some answers are not kept
// any more) or cancelled.
func (s Status) State() string {
	switch {
	case s.Cancelled:
		return "cancelled"
	case !s.Complete:
		return "submitting"
	case s.Expired > 0:
		return "expired"
	case s.Pending > 0 || s.Done+s.Failed < s.Chunks:
		return "solving"
	case s.Failed > 0:
		return "failed"
	}
	return "solved"
}

// Jobs returns what is known of each job that has something stored, sorted by
// id; those that [NewID] made are so sorted by age. It leaves out what takes a
// request for each job: Chunks, Puzzles, the times and what follows from them,
// and with them whether a job is solved. The errors are those of [Client.Setup].
func (c *Client) Jobs(ctx context.Context) ([]Status, error) {
	all, err := c.tally(ctx, wire.SubjectJobs, wire.SubjectResults)
	if err != nil {
		return nil, err
	}
	var jobs []Status
	for _, job := range slices.Sorted(maps.Keys(all)) {
		jobs = append(jobs, *all[job])
	}
	return jobs, nil
}

// tally counts the messages of subjects that match, by job.
func (c *Client) tally(ctx context.Context, waiting, done string) (map[string]*Status, error) {
	all := map[string]*Status{}
	of := func(job string) *Status {
		if all[job] == nil {
			all[job] = &Status{Job: job}
		}
		return all[job]
	}
	subjects, err := c.subjects(ctx, wire.StreamJobs, waiting)
	for subject, n := range subjects {
		switch job, kind := wire.ParseSubject(subject); kind {
		case wire.Manifest:
			of(job).Complete = true
		case wire.Answers:
			of(job).Pending += int(n)
		}
	}
	if err == nil {
		subjects, err = c.subjects(ctx, wire.StreamResults, done)
	}
	if err != nil {
		return nil, err
	}
	for subject, n := range subjects {
		switch job, kind := wire.ParseSubject(subject); kind {
		case wire.Manifest:
			of(job).Complete = true
		case wire.Cancelled:
			of(job).Cancelled = true
		case wire.Answers:
			of(job).Done += int(n)
		case wire.Failed:
			of(job).Failed += int(n)
		}
	}
	return all, nil
}

// subjects returns how many messages there are of each subject that matches.
func (c *Client) subjects(ctx context.Context, stream, match string) (map[string]uint64, error) {
	s, err := c.stream(ctx, stream)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return nil, nil
	}
	var info *jetstream.StreamInfo
	if err == nil {
		err = c.call(ctx, func(ctx context.Context) error {
			info, err = s.Info(ctx, jetstream.WithSubjectFilter(match))
			return err
		})
	}
	if err != nil {
		return nil, fmt.Errorf("looking at %s: %w", stream, err)
	}
	return info.State.Subjects, nil
}

// Status returns how far a job is. The error matches [ErrNoJob] where nothing of
// it is stored; the others are those of [Client.Setup].
func (c *Client) Status(ctx context.Context, job string) (Status, error) {
	if err := wire.CheckJob(job); err != nil {
		return Status{}, err
	}
	s, err := c.count(ctx, job)
	if err != nil {
		return Status{}, err
	}
	if err := c.complete(ctx, &s); err != nil {
		return Status{}, err
	}
	if err := c.expired(ctx, &s); err != nil {
		return Status{}, err
	}
	if err := c.pace(ctx, &s); err != nil {
		return Status{}, err
	}
	return s, nil
}

// count asks twice, for the subject of a job and for those below it.
func (c *Client) count(ctx context.Context, job string) (Status, error) {
	s := Status{Job: job}
	for _, below := range []string{"", ".>"} {
		all, err := c.tally(ctx, wire.JobSubject(job)+below, wire.ResultSubject(job)+below)
		if err != nil {
			return Status{}, err
		}
		if got := all[job]; got != nil {
			s.Complete = s.Complete || got.Complete
			s.Cancelled = s.Cancelled || got.Cancelled
			s.Done += got.Done
			s.Failed += got.Failed
			s.Pending += got.Pending
		}
	}
	if s == (Status{Job: job}) {
		return Status{}, ErrNoJob
	}
	return s, nil
}

// complete adds what the manifest and the consumer say.
func (c *Client) complete(ctx context.Context, s *Status) error {
	m, err := c.manifest(ctx, s.Job)
	if err != nil {
		return err
	}
	if m != nil {
		s.Chunks, s.Puzzles = m.Chunks, m.Puzzles
		s.Pending = min(s.Pending, max(s.Chunks-s.Done-s.Failed, 0)) // some have just been solved
	}
	consumer, err := c.workers(ctx)
	switch {
	case errors.Is(err, jetstream.ErrConsumerNotFound), errors.Is(err, jetstream.ErrStreamNotFound):
		return nil
	case err != nil:
		return fmt.Errorf("looking at %s: %w", consumerName, err)
	}
	s.Redelivered = consumer.CachedInfo().NumRedelivered
	return nil
}

// expired adds what is missing of a job whose manifest was there before. A chunk
// that is neither waiting now nor answered after that was answered before.
func (c *Client) expired(ctx context.Context, s *Status) error {
	if !s.Complete || s.Cancelled || s.Pending > 0 || s.Done+s.Failed >= s.Chunks {
		return nil
	}
	now, err := c.count(ctx, s.Job)
	if err != nil {
		return err
	}
	s.Done, s.Failed, s.Pending = now.Done, now.Failed, now.Pending
	s.Expired = max(s.Chunks-s.Done-s.Failed-s.Pending, 0)
	return nil
}

// pace adds what the times of the first and the last result say. The first one
// stands for all that were under way when it came, and is not counted.
func (c *Client) pace(ctx context.Context, s *Status) error {
	first, err := c.next(ctx, wire.StreamResults, wire.ResultSubject(s.Job), 1)
	if err != nil || first == nil {
		return err
	}
	last, err := c.last(ctx, wire.StreamResults, wire.ResultSubject(s.Job))
	if err != nil || last == nil {
		return err
	}
	s.Started, s.Last = first.time, last.time
	until := last.time
	if s.Pending > 0 && !s.Cancelled {
		until = time.Now()
	}
	if took := until.Sub(first.time); took > 0 && s.Done > 1 {
		chunks := float64(s.Done-1) / took.Seconds()
		s.Rate = chunks * float64(wire.CountLines(first.data))
		s.Left = time.Duration(float64(s.Pending) / chunks * float64(time.Second)).Round(time.Second)
	}
	return nil
}

// Cancel gives a job up: what waits is removed, and those who submit it or read
// its results get [ErrCancelled]. The answers that are there stay. Chunks that
// are with workers are solved all the same. The error matches [ErrNoJob] where
// nothing of the job is stored; the others are those of [Client.Setup].
func (c *Client) Cancel(ctx context.Context, job string) error {
	if err := wire.CheckJob(job); err != nil {
		return err
	}
	if _, err := c.count(ctx, job); err != nil {
		return err
	}
	m := &nats.Msg{Subject: wire.CancelledSubject(job), Header: nats.Header{wire.HeaderMsgID: {job + "/cancelled"}}}
	if err := c.publish(ctx, m); err != nil {
		return fmt.Errorf("publishing that job %s is cancelled: %w", job, err)
	}
	for _, below := range []string{"", ".>"} {
		if err := c.purge(ctx, wire.StreamJobs, wire.JobSubject(job)+below); err != nil {
			return err
		}
	}
	return nil
}

// publish stores a message.
func (c *Client) publish(ctx context.Context, m *nats.Msg) error {
	return c.call(ctx, func(ctx context.Context) error {
		_, err := c.js.PublishMsg(ctx, m)
		return err
	})
}

// purge removes the messages of a subject.
func (c *Client) purge(ctx context.Context, stream, subject string) error {
	s, err := c.stream(ctx, stream)
	if err == nil {
		err = c.call(ctx, func(ctx context.Context) error { return s.Purge(ctx, jetstream.WithPurgeSubject(subject)) })
	}
	if err != nil {
		return fmt.Errorf("purging %s of %s: %w", strings.TrimSuffix(subject, ".>"), stream, err)
	}
	return nil
}
