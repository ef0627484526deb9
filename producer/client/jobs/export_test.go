package jobs

// SetAhead has c remember chunks up to n ahead of their turn.
func (c *Client) SetAhead(n int) { c.ahead = n }
