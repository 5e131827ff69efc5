package core

import "time"

const (
	// closedFor is how long it is remembered that a run has been counted and closed.
	closedFor = 24 * time.Hour
	// closedSpan is the time whose closed runs are forgotten together.
	closedSpan = time.Hour
	// closedPerTombstone bounds the memory of closed runs, at about 20 bytes each.
	closedPerTombstone = 20
)

// closed remembers runs that were counted and whose values are gone, by a hash
// of 64 bits: what comes back is not counted again. The oldest are forgotten
// after a day, and then stand under a watermark: no run that began before it can
// be known to be new.
type closed struct {
	spans     []closedRuns
	n, most   int
	watermark int64
	lastID    uint64
	durable   bool
	// gone lists spans that are still on disk.
	gone []closedRuns
}

// closedRuns are the runs closed within one span of time.
type closedRuns struct {
	id     uint64
	from   int64
	runs   map[uint64]struct{}
	newest int64
	// unsaved are not on disk yet; parts is how many records are, and most how many
	// there may ever have been: those beyond parts are left from before a checkpoint
	// that was lost.
	unsaved     []uint64
	parts, most uint64
}

func newClosed(o *Options) closed {
	return closed{most: closedPerTombstone * o.MaxTombstones, durable: o.Durable}
}

func (t *Table) closedKey(l *life, s *stream, start int64) uint64 {
	return t.hash.words(roleClosed, l.identity.keys[0].Lo+l.markKey.Lo, s.key.Lo, uint64(start)).Lo
}

func (c *closed) has(key uint64, start int64) bool {
	if start <= c.watermark {
		return true
	}
	for i := range c.spans {
		if _, ok := c.spans[i].runs[key]; ok {
			return true
		}
	}
	return false
}

func (c *closed) add(key uint64, start, mono int64) {
	if n := len(c.spans); n == 0 || mono-c.spans[n-1].from >= int64(closedSpan) || len(c.spans[n-1].runs) >= c.most/24+1 {
		c.lastID++
		c.spans = append(c.spans, closedRuns{id: c.lastID, from: mono, runs: map[uint64]struct{}{}})
	}
	last := &c.spans[len(c.spans)-1]
	before := len(last.runs)
	last.runs[key] = struct{}{}
	if len(last.runs) > before {
		c.n++
		if c.durable {
			last.unsaved = append(last.unsaved, key)
		}
	}
	last.newest = max(last.newest, start)
	for c.n > c.most {
		c.drop()
	}
}

// drop forgets the oldest span.
func (c *closed) drop() {
	c.watermark = max(c.watermark, c.spans[0].newest)
	c.n -= len(c.spans[0].runs)
	if c.spans[0].most > 0 {
		c.gone = append(c.gone, closedRuns{id: c.spans[0].id, most: c.spans[0].most})
	}
	c.spans[0] = closedRuns{}
	c.spans = c.spans[1:]
}

func (c *closed) expire(mono int64) {
	for len(c.spans) > 0 && mono-c.spans[0].from >= int64(closedFor+closedSpan) {
		c.drop()
	}
}
