package core

import (
	"fmt"
	"slices"
	"strconv"
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
const (
	MetaKey    = "meta"
	familyKey  = "f/%d"
	seriesKey  = "s/%d"
	lifeKey    = "l/%d"
	closedPart = "c/%d/%d"
	journalKey = "j/%d"
)

func (t *Table) key(format string, args ...any) string {
	return strconv.FormatUint(t.seed, 36) + "/" + fmt.Sprintf(format, args...)
}

// chunkSize is how many series share a record.
const chunkSize = 64

// unsaved is what has changed since the last checkpoint.
type unsaved struct {
	on        bool
	chunks    []bool
	families  map[uint32]*family
	lives     []*life
	livesGone []uint32
	// journalled is the first journal record that may still be on disk.
	journalled uint64
}

func (u *unsaved) series(slot uint32) {
	if !u.on {
		return
	}
	for uint32(len(u.chunks))*chunkSize <= slot {
		u.chunks = append(u.chunks, false)
	}
	u.chunks[slot/chunkSize] = true
}

func (u *unsaved) family(f *family) {
	if !u.on {
		return
	}
	if u.families == nil {
		u.families = map[uint32]*family{}
	}
	u.families[f.slot] = f
}

func (u *unsaved) familyGone(f *family) {
	if u.on {
		u.family(f)
		u.families[f.slot] = nil
	}
}

func (u *unsaved) lifeGone(l *life) {
	if u.on {
		u.livesGone = append(u.livesGone, l.slot)
		l.dirty = true
	}
}

// save must be called before a life changes: a running checkpoint writes it as
// it was at the cut.
func (t *Table) save(l *life) {
	if !t.unsaved.on {
		return
	}
	if l.pending != nil {
		l.pending.life(l)
	}
	l.version++
	if !l.dirty {
		l.dirty = true
		t.unsaved.lives = append(t.unsaved.lives, l)
	}
}

// Checkpoint is what must be written to make the state on disk that of one cut.
// Its cost follows what has changed: lives that pushed, chunks of series that
// were fed. All writes together are one transaction.
type Checkpoint struct {
	t       *Table
	was     unsaved
	at      int
	buffers map[uint32]*encoder
	writes  []Write
	gone    []closedRuns
	journal uint64
}

// beginCheckpoint takes over what has changed. Meta data is small and written
// at once; lives and series follow step by step, or before they change. Journal
// records below journal were made before the cut, so that they become needless.
func (t *Table) beginCheckpoint(now Instant, journal uint64) *Checkpoint {
	c := &Checkpoint{t: t, was: t.unsaved, buffers: map[uint32]*encoder{}, journal: journal}
	t.unsaved = unsaved{on: true, chunks: make([]bool, len(c.was.chunks)), journalled: journal}
	for _, slot := range c.was.livesGone {
		c.put(c.t.key(lifeKey, slot), nil)
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
	for chunk, dirty := range c.was.chunks {
		if dirty {
			c.buffers[uint32(chunk)] = &encoder{}
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
	var e encoder
	e.life(l)
	c.put(c.t.key(lifeKey, l.slot), e.record())
}

// series is called for every series, as it was at the cut. What the next output
// will fix must be written again before it is sent.
func (c *Checkpoint) series(s *series, emitted bool) {
	e, ok := c.buffers[s.slot/chunkSize]
	if !ok {
		return
	}
	e.series(s)
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
		for part := range s.parts {
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
		s.parts++
		s.unsaved = nil
	}
}

// Writes is the transaction, once the cut has been taken to its end.
func (c *Checkpoint) Writes() []Write {
	chunks := make([]uint32, 0, len(c.buffers))
	for chunk := range c.buffers {
		chunks = append(chunks, chunk)
	}
	slices.Sort(chunks)
	for _, chunk := range chunks {
		if e := c.buffers[chunk]; len(e.b) == 0 {
			c.put(c.t.key(seriesKey, chunk), nil)
		} else {
			c.put(c.t.key(seriesKey, chunk), e.record())
		}
	}
	c.buffers = nil
	return c.writes
}

// Lost makes the next checkpoint write everything, because this one could not
// be written.
func (c *Checkpoint) Lost() {
	c.t.closed.gone = append(c.t.closed.gone, c.gone...)
	c.t.Unsave()
	c.t.unsaved.journalled = c.was.journalled
}

// Unsave makes the next checkpoint write everything.
func (t *Table) Unsave() {
	for slot := range t.slots.all {
		t.unsaved.series(uint32(slot))
	}
	for slot, f := range t.familySlots.all {
		if f != nil {
			t.unsaved.family(f)
		} else {
			t.unsaved.familyGone(&family{slot: uint32(slot)})
		}
	}
	for slot, l := range t.lifeSlots.all {
		if l != nil {
			t.save(l)
		} else {
			t.unsaved.livesGone = append(t.unsaved.livesGone, uint32(slot))
		}
	}
	for i := range t.closed.spans {
		t.closed.spans[i].spoil()
	}
}

// spoil has the next checkpoint write all runs of the span again.
func (s *closedRuns) spoil() {
	s.unsaved = s.unsaved[:0]
	for k := range s.runs {
		s.unsaved = append(s.unsaved, k)
	}
	s.parts = 0
}
