package core

import (
	"fmt"
	"strconv"

	"github.com/zeebo/xxh3"
)

// Write is one change of the state on disk: Value under Key, or nothing.
type Write struct {
	Key   string
	Value []byte
}

// The keys of the state on disk. Everything but the meta record and the journal
// is numbered by slots, so that a store needs no listing of its keys. All but
// the meta record have the state's seed in front, so that what is left of a state
// that was set aside is never taken for part of a later one.
//
// What a series or a life is hardly ever changes, and is long; what it has
// counted changes all the time, and is short. So each has a record of its own.
const (
	MetaKey       = "meta"
	familyKey     = "f/%d"
	seriesKey     = "s/%d"
	seriesCounted = "sv/%d"
	lifeKey       = "l/%d"
	lifeCounted   = "lv/%d"
	closedPart    = "c/%d/%d"
	journalKey    = "j/%d"
)

func (t *Table) key(format string, args ...any) string {
	return strconv.FormatUint(t.seed, 36) + "/" + fmt.Sprintf(format, args...)
}

// Checkpoint is what must be written to make the state on disk that of one cut.
// Its cost follows what has changed: lives that pushed, chunks of series that
// were fed. All writes together are one transaction.
type Checkpoint struct {
	t       *Table
	was     unsaved
	at      int
	chunks  []*chunk
	named   encoder
	writes  []Write
	gone    []closedRuns
	journal uint64
}

// beginCheckpoint takes over what has changed. Meta data is small and written
// at once; lives and series follow step by step, or before they change. Journal
// records below journal were made before the cut, so that they become needless.
func (t *Table) beginCheckpoint(now Instant, journal uint64) *Checkpoint {
	c := &Checkpoint{t: t, was: t.unsaved, chunks: make([]*chunk, len(t.unsaved.chunks)), journal: journal}
	t.unsaved = unsaved{on: true, chunks: make([]chunkChange, len(c.was.chunks)), journalled: journal}
	for _, slot := range c.was.livesGone {
		c.put(c.t.key(lifeKey, slot), nil)
		c.put(c.t.key(lifeCounted, slot), nil)
	}
	for slot, f := range c.was.families {
		if f == nil {
			c.put(c.t.key(familyKey, slot), nil)
			continue
		}
		var e encoder
		e.family(f)
		c.put(c.t.key(familyKey, slot), e.record())
	}
	for at, change := range c.was.chunks {
		if change != 0 {
			c.chunks[at] = newChunk(change)
		}
	}
	for _, l := range c.was.lives {
		l.dirty = false
		if !l.buried {
			l.pending = c
		}
	}
	for n := c.was.journalled; n < c.journal; n++ {
		c.put(c.t.key(journalKey, n), nil)
	}
	c.closed()
	c.meta(now)
	return c
}

func (c *Checkpoint) put(key string, value []byte) { c.writes = append(c.writes, Write{key, value}) }

func (c *Checkpoint) life(l *life) {
	l.pending = nil
	known := l.layouts()
	c.named.b = c.named.b[:0]
	c.named.life(l, known)
	if sum := xxh3.HashSeed(c.named.b, c.t.seed) | 1; sum != l.named {
		l.named = sum
		c.put(c.t.key(lifeKey, l.slot), c.named.record())
	}
	e := encoder{b: make([]byte, 0, 64+16*len(l.streams))}
	e.lifeCounted(l, known)
	c.put(c.t.key(lifeCounted, l.slot), e.record())
}

// series is called for every series, as it was at the cut. What the next output
// will fix must be written again before it is sent.
func (c *Checkpoint) series(s *series, emitted bool) {
	at := int(s.slot / chunkSize)
	if at >= len(c.chunks) || c.chunks[at] == nil {
		return
	}
	c.chunks[at].add(s)
	if !emitted && !s.settled() {
		c.t.unsaved.series(s.slot)
	}
}

// step writes some more lives.
func (c *Checkpoint) step(most int) (more bool) {
	for ; most > 0 && c.at < len(c.was.lives); c.at++ {
		if l := c.was.lives[c.at]; l.pending == c {
			c.life(l)
			most -= 1 + len(l.streams)
		}
	}
	return c.at < len(c.was.lives)
}

func (c *Checkpoint) closed() {
	for _, s := range c.t.closed.gone {
		for part := range s.most {
			c.put(c.t.key(closedPart, s.id, part), nil)
		}
	}
	c.gone, c.t.closed.gone = c.t.closed.gone, nil
	for i := range c.t.closed.spans {
		s := &c.t.closed.spans[i]
		if len(s.unsaved) == 0 {
			continue
		}
		var e encoder
		e.uint(uint64(len(s.unsaved)))
		for _, k := range s.unsaved {
			e.fixed(k)
		}
		c.put(c.t.key(closedPart, s.id, s.parts), e.record())
		if s.parts++; s.parts == 1 {
			for part := uint64(1); part < s.most; part++ {
				c.put(c.t.key(closedPart, s.id, part), nil)
			}
		}
		s.most = max(s.most, s.parts)
		s.unsaved = nil
	}
}

// Writes is the transaction, once the cut has been taken to its end.
func (c *Checkpoint) Writes() []Write {
	for at, chunk := range c.chunks {
		if chunk == nil {
			continue
		}
		if chunk.change == chunkNamed {
			c.put(c.t.key(seriesKey, at), chunk.named.recordOrNone())
		}
		c.put(c.t.key(seriesCounted, at), chunk.counted.recordOrNone())
	}
	c.chunks = nil
	return c.writes
}

// Lost makes the next checkpoint write everything, because this one could not
// be written.
func (c *Checkpoint) Lost() {
	c.t.closed.gone = append(c.t.closed.gone, c.gone...)
	c.t.Unsave()
	c.t.unsaved.journalled = c.was.journalled
}
