package core

// replay brings the table to what a journal record says of a life. A record is
// all of a life as it was: the later of it and what is known counts. What the
// life's streams have added in between is added to their series, so that the
// series get exactly what this life has counted, whatever became of the others.
func (r *restore) replay(raw []byte) error {
	d := open(raw)
	rec := d.life()
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
	if d.err != nil {
		return d.err
	}
	switch l := r.known[rec.id]; {
	case l != nil && rec.version > l.version:
		return r.advance(l, rec)
	case l != nil || rec.id <= r.lifeIDs:
		// An older record, or one of a life that was closed before the cut.
		return nil
	}
	return r.begin(rec)
}

// described makes a series that the checkpoint does not have.
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
	if d.err != nil || f >= uint64(len(families)) {
		d.fail(errShort)
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

// begin makes a life that began after the cut. If its name was that of another
// life, that one must have been closed.
func (r *restore) begin(rec *lifeRecord) error {
	t := r.t
	if id, ok := t.identities[rec.keys[0]]; ok {
		if old := t.lives[id.keys[0].plus(t.hash.marks(rec.marks))]; old != nil {
			if old.alive() {
				t.fold(old, Stale, r.now)
			}
			t.closeLife(old, r.now)
		}
	}
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
	to.dist.add(g)
}
