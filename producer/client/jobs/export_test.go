package jobs

import "context"

// SetAhead has c remember chunks up to n ahead of their turn.
func (c *Client) SetAhead(n int) { c.ahead = n }

// Stored returns which chunks of a job are stored.
func (c *Client) Stored(ctx context.Context, job string) (func(chunk int) bool, error) {
	return c.stored(ctx, job)
}
