package core

// Record is the durable form of a life that must be on disk before its sender
// is answered: a journal record. It holds all that is needed to make the life's
// streams and series anew, and a restore merges it with what it finds, by
// maximum, so that it does no harm where a checkpoint has it already.
func (t *Table) Record(id CommitID) []byte {
	var e encoder
	e.life(id.life, nil)
	e.described(id.life)
	return e.record()
}

// JournalKey is the key of a journal record. Numbers follow each other without
// a gap: a restore reads up to the first that is missing.
func (t *Table) JournalKey(number uint64) string { return t.key(journalKey, number) }

// Journal is the number of the next journal record of a table that was restored.
func (t *Table) Journal() uint64 { return t.journal }

// described writes the families and series that a life refers to.
func (e *encoder) described(l *life) {
	var all []*series
	seen := map[*series]bool{}
	families := map[*family]int{}
	var order []*family
	note := func(s *series) {
		if s == nil || seen[s] {
			return
		}
		seen[s] = true
		all = append(all, s)
		if _, ok := families[s.family]; !ok {
			families[s.family] = len(order)
			order = append(order, s.family)
		}
	}
	for i := range l.streams {
		note(l.streams[i].series.parent)
		note(l.streams[i].series)
	}
	for _, lv := range l.levels {
		note(lv.series)
	}
	e.uint(uint64(len(order)))
	for _, f := range order {
		e.family(f)
	}
	e.uint(uint64(len(all)))
	for _, s := range all {
		e.key(s.key)
		e.uint(uint64(families[s.family]))
		e.bool(s.parent != nil)
		if s.parent != nil {
			e.key(s.parent.key)
		}
		e.bool(s.family.overflow == s)
		e.int(s.start)
		e.attrs(s.attrs)
	}
}

// replay merges a journal record into the table.
func (t *Table) replay(raw []byte, now Instant) error {
	d := open(raw)
	rec := d.life()
	var families []*family
	for n := d.count(); n > 0 && d.err == nil; n-- {
		f := d.family(t.groups)
		if known, ok := t.families[f.key]; ok {
			f = known
		} else if d.err == nil {
			t.addFamily(f)
		}
		families = append(families, f)
	}
	for n := d.count(); n > 0 && d.err == nil; n-- {
		t.describedSeries(d, families, now)
	}
	if d.err != nil {
		return d.err
	}
	return t.merge(rec, now)
}

func (t *Table) describedSeries(d *decoder, families []*family, now Instant) {
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
	if _, ok := t.series[key]; ok {
		return
	}
	s := t.addSeries(families[f], key, attrs, now)
	s.start = start
	if child {
		retained, ok := t.series[parent]
		if !ok {
			d.fail(errNoSeries)
			return
		}
		s.under(retained)
	}
	if overflow {
		s.family.overflow = s
		t.overflows++
	}
}

// merge brings a life to what a record says of it.
func (t *Table) merge(rec *lifeRecord, now Instant) error {
	l := t.lifeOf(rec)
	if l == nil {
		var err error
		if l, err = t.restoreLife(rec, nil, now); err != nil {
			return err
		}
		t.save(l)
	} else {
		t.save(l)
		if rec.alive && !l.alive() {
			t.revive(l, now)
			l.death = death{}
		}
		if err := t.mergeStreams(l, rec); err != nil {
			return err
		}
		if err := t.mergeLevels(l, rec); err != nil {
			return err
		}
		l.last = max(l.last, rec.last)
	}
	if !rec.alive && l.alive() {
		t.fold(l, rec.reason, now)
	}
	return nil
}

func (t *Table) lifeOf(rec *lifeRecord) *life {
	id, ok := t.identities[rec.keys[0]]
	if !ok {
		return nil
	}
	return t.lives[id.keys[0].plus(t.hash.marks(rec.marks))]
}
