package core

// Record is the durable form of a life that must be on disk before its sender
// is answered: a journal record. It holds all that is needed to make the life,
// its streams and their series anew.
func (t *Table) Record(id CommitID) []byte {
	var e encoder
	l := id.life
	known := l.layouts()
	e.uint(l.id)
	e.uint(l.version)
	e.life(l, known)
	e.lifeCounted(l, known)
	e.described(l)
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
		if s == nil || s.gone || seen[s] {
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
