package client

import (
	"time"

	"github.com/nats-io/nats.go"
)

// The keeper looks at all that waits whenever it wakes, so it does not wake more
// often than this.
const scanEvery = time.Millisecond

// keep looks after the requests that wait: it sends those whose pause is over,
// gives up on replies that do not come, and sends everything again when the
// connection is back, since what was under way is lost.
func (c *Client) keep() {
	defer c.nc.RemoveStatusListener(c.status)
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-c.stop:
			return
		case status := <-c.status:
			c.connection(status)
		case <-c.sooner:
			timer.Reset(c.untilNext())
		case now := <-timer.C:
			for _, r := range c.takeDue(now) {
				c.expired(r, now)
			}
			timer.Reset(c.untilNext())
		}
	}
}

// connection is called when the connection is back, or closed for good.
func (c *Client) connection(status nats.Status) {
	for _, r := range c.takeIf(func(*request) bool { return true }) {
		if status == nats.CONNECTED {
			c.send(r, time.Now())
		} else {
			r.settle(nats.ErrConnectionClosed)
		}
	}
}

// takeDue makes the keeper the owner of the requests whose turn it is, and finds
// the time of the next.
func (c *Client) takeDue(now time.Time) (due []*request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next = now.Add(time.Hour)
	for id, r := range c.flight {
		switch {
		case !r.due.After(now):
			delete(c.flight, id)
			due = append(due, r)
		case r.due.Before(c.next):
			c.next = r.due
		}
	}
	return due
}

func (c *Client) untilNext() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return max(time.Until(c.next), scanEvery)
}

// expired does what is due for r, which the keeper owns.
func (c *Client) expired(r *request, now time.Time) {
	over := !now.Before(r.deadline)
	switch {
	case r.resting && over:
		r.settle(r.err)
	case r.resting:
		c.send(r, now)
	case over:
		r.settle(ErrNoReply)
	default:
		c.retry(r, ErrNoReply, 0)
	}
}
