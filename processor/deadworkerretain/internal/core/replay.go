package core

import (
	"maps"
	"slices"
)

// journalled is a journal record that waits to be replayed.
type journalled struct {
	key     string
	raw     []byte
	version uint64
}

// journal replays what was acknowledged after the checkpoint: of every life the
// latest record, and older lives first. Records are written in groups, so that
// the order of their numbers is not that of what they tell.
func (r *restore) journal() error {
	latest := map[uint64]journalled{}
	for ; ; r.t.journal++ {
		key := r.t.key(journalKey, r.t.journal)
		raw, err := r.get([]string{key})
		if err != nil {
			return err
		}
		if raw[0] == nil {
			break
		}
		d := open(raw[0])
		id, version := d.uint(), d.uint()
		if d.err != nil {
			return &DamagedError{key, raw[0], d.err}
		}
		if last, ok := latest[id]; !ok || version > last.version {
			latest[id] = journalled{key, raw[0], version}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(latest)) {
		if err := r.replay(latest[id].raw); err != nil {
			return &DamagedError{latest[id].key, latest[id].raw, err}
		}
	}
	return nil
}

// replay brings the table to what a journal record says of a life. A record is
// all of a life as it was: the later of it and what is known counts. What the
// life's streams have added in between is added to their series, so that the
// series get exactly what this life has counted, whatever became of the others.
func (r *restore) replay(raw []byte) error {
	d := open(raw)
	rec := d.journalled()
	if d.err != nil {
		return d.err
	}
	l := r.known[rec.id]
	switch {
	case l == nil && rec.id <= r.lifeIDs, l != nil && rec.version <= l.version:
		// Of a life that was closed before the cut, or older than the cut.
		return nil
	case l == nil:
		r.makeWay(rec)
	}
	r.describe(d)
	if d.err != nil {
		return d.err
	}
	if l == nil {
		return r.begin(rec)
	}
	return r.advance(l, rec)
}

// journalled reads both records of a life. Its id and version stand before them,
// as they do in format 1.
func (d *decoder) journalled() *lifeRecord {
	if d.version == 1 {
		return d.lifeV1()
	}
	d.uint()
	d.uint()
	l := d.life()
	d.lifeCounted(l)
	return l
}

// describe makes the families and series that a record needs, if the checkpoint
// does not have them.
func (r *restore) describe(d *decoder) {
	var families []*family
	for n := d.count(); n > 0 && d.err == nil; n-- {
		f := d.family(r.t.groups)
		if known, ok := r.t.families[f.key]; ok {
			f = known
		} else if d.err == nil {
			r.t.addFamily(f)
		}
		families = append(families, f)
	}
	for n := d.count(); n > 0 && d.err == nil; n-- {
		r.described(d, families)
	}
}

// described makes one series.
func (r *restore) described(d *decoder, families []*family) {
	t := r.t
	key, f := d.key(), d.uint()
	var parent Key
	child := d.bool()
	if child {
		parent = d.key()
	}
	overflow, start := d.bool(), d.int()
	attrs := newAttrs(d)
	if d.must(f < uint64(len(families)), "series of metric %d, expected less than %d", f, len(families)); d.err != nil {
		return
	}
	if s, ok := t.series[key]; ok {
		if !s.flushed {
			s.start = min(s.start, start)
		}
		return
	}
	retained, ok := t.series[parent]
	if child && !ok {
		d.fail(errNoSeries)
		return
	}
	s := t.addSeries(families[f], key, attrs, r.now)
	s.start = start
	if child {
		s.under(retained)
	}
	if overflow {
		s.family.overflow = s
		t.overflows++
	}
}

// makeWay closes the life that had the name of one which began after the cut.
func (r *restore) makeWay(rec *lifeRecord) {
	t := r.t
	id, ok := t.identities[rec.keys[0]]
	if !ok {
		return
	}
	if old := t.lives[id.keys[0].plus(t.hash.marks(rec.marks))]; old != nil {
		if old.alive() {
			t.fold(old, Stale, r.now)
		}
		if !old.buried {
			t.closeLife(old, r.now)
		}
	}
}

// begin makes a life that began after the cut.
func (r *restore) begin(rec *lifeRecord) error {
	t := r.t
	l, err := t.restoreLife(rec, r.now)
	if err != nil {
		return err
	}
	l.slot = t.lifeSlots.put(l)
	t.lifeIDs = max(t.lifeIDs, l.id)
	r.known[l.id] = l
	for i := range l.streams {
		t.credit(&l.streams[i], nil)
	}
	if !l.alive() {
		t.graves.add(l)
	}
	t.changed(l, rec.version)
	return nil
}

// advance brings a life of the checkpoint to a later state.
func (r *restore) advance(l *life, rec *lifeRecord) error {
	t := r.t
	before, levels := t.takeDown(l)
	own := make([]*series, 0, len(l.streams))
	for i := range l.streams {
		if s := l.streams[i].series; s.parent != nil {
			own = append(own, s)
		}
	}
	t.rename(l, rec)
	died := l.death.serial
	t.settle(l, rec, r.now)
	if err := t.fill(l, rec, r.now); err != nil {
		return err
	}
	for i := range l.streams {
		t.credit(&l.streams[i], before[l.streams[i].key])
	}
	if !l.alive() {
		for _, s := range own {
			if !s.gone {
				t.foldOwn(s, r.now)
			}
		}
	}
	if died != l.death.serial {
		if died != 0 {
			t.graves.n--
		}
		if !l.alive() {
			t.graves.add(l)
		}
	}
	for _, s := range levels {
		if len(s.members) == 0 && !s.gone {
			t.end(s)
		}
	}
	t.changed(l, rec.version)
	return nil
}

// changed marks a life and its series as news for the next checkpoint.
func (t *Table) changed(l *life, version uint64) {
	t.save(l)
	l.version = version
	for _, lv := range l.levels {
		t.touch(lv.series)
	}
	t.deaths = max(t.deaths, l.death.serial)
}

// sum is all that a stream has ever added, of whatever kind.
type sum struct {
	num  total
	dist *distTotal
}

// takeDown removes all streams and levels of a life, to make room for others. It
// answers what each stream has added, and which series the levels were in.
func (t *Table) takeDown(l *life) (before map[Key]*sum, levels []*series) {
	before = make(map[Key]*sum, len(l.streams))
	for i := range l.streams {
		s := &l.streams[i]
		before[s.key] = &sum{num: s.added(), dist: s.addedDist()}
		for r := range s.runs {
			t.douse(l, s, r)
			if r.dist != nil {
				s.series.family.release(r.dist.layout)
			}
		}
		if l.alive() {
			s.series.feeders--
			t.stats.Streams--
		}
	}
	for _, lv := range l.levels {
		t.detach(lv)
		levels = append(levels, lv.series)
		t.stats.Streams--
	}
	return before, levels
}

// credit adds to a series what a stream has added since before.
func (t *Table) credit(s *stream, before *sum) {
	to := s.series
	if to.gone {
		return
	}
	t.touch(to)
	if to.dist == nil {
		sum := s.added()
		if before != nil {
			sum.add(increment(before.num).negative())
		}
		if to.num.add(increment(sum).notBelow0()) {
			to.prev = max(to.prev, roundedUp(to.num.i))
		}
		return
	}
	if before == nil || before.dist == nil {
		before = &sum{dist: &distTotal{}}
	}
	g := &gain{}
	g.beyond(s.addedDist(), before.dist)
	to.dist.addAnyway(g)
}
