package core

// unsaved is what has changed since the last checkpoint.
type unsaved struct {
	on        bool
	chunks    []chunkChange
	families  map[uint32]*family
	lives     []*life
	livesGone []uint32
	// journalled is the first journal record that may still be on disk.
	journalled uint64
}

// chunkChange says what has changed in a chunk of series.
type chunkChange uint8

const (
	// chunkCounted: a series has counted.
	chunkCounted chunkChange = 1 + iota
	// chunkNamed: a series has come or gone.
	chunkNamed
)

func (u *unsaved) chunk(slot uint32, change chunkChange) {
	if !u.on {
		return
	}
	for uint32(len(u.chunks))*chunkSize <= slot {
		u.chunks = append(u.chunks, 0)
	}
	c := &u.chunks[slot/chunkSize]
	*c = max(*c, change)
}

// series must be called when a series has counted, or its start moves.
func (u *unsaved) series(slot uint32) { u.chunk(slot, chunkCounted) }

// named must be called when a series has come or gone.
func (u *unsaved) named(slot uint32) { u.chunk(slot, chunkNamed) }

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

// Unsave makes the next checkpoint write everything.
func (t *Table) Unsave() {
	t.rewrite()
	for slot, f := range t.familySlots.all {
		if f != nil {
			t.unsaved.family(f)
		} else {
			t.unsaved.familyGone(&family{slot: uint32(slot)})
		}
	}
	for i := range t.closed.spans {
		t.closed.spans[i].spoil()
	}
}

// rewrite makes the next checkpoint write all series and lives.
func (t *Table) rewrite() {
	for slot := range t.slots.all {
		t.unsaved.named(uint32(slot))
	}
	for slot, l := range t.lifeSlots.all {
		if l == nil {
			t.unsaved.livesGone = append(t.unsaved.livesGone, uint32(slot))
			continue
		}
		t.save(l)
		l.named = 0
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
