package core

import (
	"errors"
	"fmt"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

var errNoSeries = errors.New("a stream feeds a series that there is not")

// restoreLife makes a life of its record. With a slot it was part of a
// checkpoint, and what its streams have counted is in the series already;
// without, it is news, and is added.
func (t *Table) restoreLife(rec *lifeRecord, slot *int, now Instant) (*life, error) {
	if len(rec.marks) != len(t.opt.Life) {
		return nil, fmt.Errorf("life has %d life attributes, expected %d", len(rec.marks), len(t.opt.Life))
	}
	l := &life{
		id: rec.id, marks: rec.marks, markKey: t.hash.marks(rec.marks), place: -1,
		resource: rec.resource, schemaURL: rec.schemaURL, instance: rec.instance,
		// A life that comes from a state is a known one: its first collection is over.
		born: now.Mono - int64(mostStale), seen: now.Mono, swept: now.Mono, last: rec.last,
		index: make(map[Key]int32, len(rec.streams)+len(rec.levels)), eventful: true,
	}
	t.restoreIdentity(l, rec)
	if slot == nil {
		t.lifeIDs = max(t.lifeIDs, l.id)
		l.slot = t.lifeSlots.put(l)
	} else {
		l.slot = uint32(*slot)
	}
	if rec.alive {
		t.enliven(l)
		t.become(l, rec.state)
	}
	if slot == nil {
		if err := t.mergeStreams(l, rec); err != nil {
			return nil, err
		}
	} else if err := t.restoreStreams(l, rec, now); err != nil {
		return nil, err
	}
	if !rec.alive {
		t.restoreDeath(l, rec.reason, now)
	}
	return l, t.restoreLevels(l, rec)
}

func (t *Table) restoreIdentity(l *life, rec *lifeRecord) {
	id, ok := t.identities[rec.keys[0]]
	if !ok {
		g, known := t.groups[rec.group]
		if !known {
			g = t.sharedGroup(rec.group, rec.resource)
		}
		id = &identity{name: rec.name, group: g}
	}
	for _, k := range rec.keys {
		if t.identities[k] != id {
			id.keys = append(id.keys, k)
			t.identities[k] = id
		}
	}
	l.identity = id
	id.lives = append(id.lives, l)
	t.lives[l.key()] = l
}

// restoreDeath keeps the dead for as long as the freshly dead: ages count from
// the restore.
func (t *Table) restoreDeath(l *life, why Reason, now Instant) {
	t.deaths++
	keep := t.opt.AfterStaleness
	if why == Goodbye {
		keep = t.opt.AfterGoodbye
	}
	l.state = lifecycle.Terminated
	l.death = death{reason: why, at: now.Mono, serial: t.deaths, until: now.Mono + int64(keep)}
	t.graves.add(l)
}

func (t *Table) restoreStreams(l *life, rec *lifeRecord, now Instant) error {
	l.streams = make([]stream, 0, len(rec.streams))
	for i := range rec.streams {
		sr := &rec.streams[i]
		s, ok := t.series[sr.series]
		if !ok {
			return errNoSeries
		}
		l.index[sr.key] = int32(len(l.streams))
		l.streams = append(l.streams, stream{key: sr.key, series: s})
		st := &l.streams[len(l.streams)-1]
		t.feed(l, s)
		for j := len(sr.runs) - 1; j >= 0; j-- {
			if err := t.restoreRun(l, st, &sr.runs[j], now); err != nil {
				return err
			}
		}
		st.restoreExtras(sr)
	}
	return nil
}

func (t *Table) feed(l *life, s *series) {
	if l.alive() {
		s.feeders++
		t.stats.Streams++
	}
}

func (s *stream) restoreExtras(sr *streamRecord) {
	if sr.windows != nil {
		s.extend().windows = sr.windows
	}
	if sr.exemplars != nil {
		s.extend().exemplars = sr.exemplars
	}
}

// restoreRun puts a run back as it was, without adding to the series.
func (t *Table) restoreRun(l *life, s *stream, rr *runRecord, now Instant) error {
	r := rr.run
	lit := r.is(runLit)
	r.flags &^= runLit
	r.seen = seconds(now.Mono)
	if err := rr.fits(s.series.family); err != nil {
		return err
	}
	if rr.bounds != nil {
		r.dist.layout = s.series.family.layoutFor(rr.bounds)
		r.dist.layout.users++
	}
	at := s.begin(r)
	if lit && l.alive() {
		conflicts := t.stats.LayoutConflicts
		t.light(l, s, at)
		t.stats.LayoutConflicts = conflicts
	}
	return nil
}

// mergeStreams adds what a record holds beyond what the life has, by maximum.
func (t *Table) mergeStreams(l *life, rec *lifeRecord) error {
	a := &applying{t: t, now: Instant{Mono: l.seen}}
	for i := range rec.streams {
		sr := &rec.streams[i]
		at, ok := l.index[sr.key]
		if !ok {
			s, known := t.series[sr.series]
			if !known {
				return errNoSeries
			}
			at = int32(len(l.streams))
			l.index[sr.key] = at
			l.streams = append(l.streams, stream{key: sr.key, series: s})
			t.feed(l, s)
		}
		st := &l.streams[at]
		for j := len(sr.runs) - 1; j >= 0; j-- {
			if err := a.mergeRun(l, st, &sr.runs[j]); err != nil {
				return err
			}
		}
		st.restoreExtras(sr)
	}
	return nil
}

func (a *applying) mergeRun(l *life, s *stream, rr *runRecord) error {
	if err := rr.fits(s.series.family); err != nil {
		return err
	}
	if rr.bounds != nil {
		rr.dist.layout = s.series.family.layoutFor(rr.bounds)
		defer s.series.family.dropUnused(rr.dist.layout)
	}
	for r := range s.runs {
		if r.start == rr.start && r.is(runDelta) == rr.is(runDelta) &&
			(rr.dist == nil || !rr.is(runDelta) || r.dist.layout == rr.dist.layout) {
			a.mergeValue(s, r, rr)
			return nil
		}
	}
	r := rr.run
	lit := r.is(runLit)
	r.flags &^= runLit
	r.seen, r.dist = seconds(a.now.Mono), nil
	if rr.dist == nil {
		a.addNumber(s, rr.number().whole())
	} else if !a.addWhole(s, rr.dist) {
		return errShort
	}
	at := s.begin(r)
	if rr.dist != nil {
		a.t.setDist(s, at, rr.dist)
	}
	if lit && l.alive() {
		a.t.light(l, s, at)
	}
	return nil
}

func (a *applying) mergeValue(s *stream, r *run, rr *runRecord) {
	later := rr.t > r.t
	r.t = max(r.t, rr.t)
	if rr.dist == nil {
		switch n := rr.number(); {
		case n.compare(r.number()) > 0:
			a.addNumber(s, n.minus(r.number()))
			r.setNumber(n)
		case later && r.start == 0 && !r.is(runDelta) && n.compare(r.number()) < 0:
			// With an unknown start a lower value was a reset.
			a.addNumber(s, n.whole())
			r.setNumber(n)
		}
		return
	}
	if rr.dist.compare(r.dist) != higher {
		return
	}
	gain := &a.t.scratch.gain
	gain.difference(rr.dist, r.dist)
	if a.addDist(s, gain) {
		a.t.setDist(s, r, rr.dist)
	}
}

// fits checks that a run has the value that its metric's kind needs.
func (rr *runRecord) fits(f *family) error {
	var ok bool
	switch f.kind {
	case kindCounter:
		ok = rr.dist == nil
	case kindHistogram:
		ok = rr.dist != nil && rr.dist.exp == nil && len(rr.dist.buckets) > 0
	case kindExponential:
		ok = rr.dist != nil && rr.dist.exp != nil && len(rr.dist.buckets) == 0
	case kindSummary:
		ok = rr.dist != nil && rr.dist.exp == nil && len(rr.dist.buckets) == 0
	}
	if !ok {
		return fmt.Errorf("a run of metric %q has a value of another kind", f.name)
	}
	return nil
}

// mergeLevels takes over levels that are later.
func (t *Table) mergeLevels(l *life, rec *lifeRecord) error {
	news := lifeRecord{}
	for _, lr := range rec.levels {
		at, ok := l.index[lr.key]
		if !ok {
			news.levels = append(news.levels, lr)
			continue
		}
		if at < 0 && lr.t >= l.levels[^at].t {
			lv := l.levels[^at]
			lv.t, lv.num, lv.windows = lr.t, lr.num, lr.windows
		}
	}
	return t.restoreLevels(l, &news)
}

func (t *Table) restoreLevels(l *life, rec *lifeRecord) error {
	for i := range rec.levels {
		lr := &rec.levels[i]
		s, ok := t.series[lr.series]
		if !ok || !s.family.kind.instantaneous() {
			return errNoSeries
		}
		lv := &level{key: lr.key, life: l, series: s, t: lr.t, num: lr.num, windows: lr.windows, place: len(s.members)}
		l.index[lr.key] = ^int32(len(l.levels))
		l.levels = append(l.levels, lv)
		s.members = append(s.members, lv)
		t.stats.Streams++
		if s.family.agg == PerWorker {
			l.own = s.family.group
		}
	}
	return nil
}
