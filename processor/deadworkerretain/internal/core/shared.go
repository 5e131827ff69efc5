package core

// An identity is shared while several of its lives live, or while a stream of
// one life has several living runs: processes that only start times tell apart.

// reshare must be called when a life or a run begins or ends to live.
func (t *Table) reshare(id *identity) {
	shared := id.living > 1 || id.multiple > 0
	switch {
	case shared && !id.shared:
		t.stats.SharedIdentities++
	case !shared && id.shared:
		t.stats.SharedIdentities--
	}
	id.shared = shared
}

// lit counts the living runs of a stream that start times tell apart, up to three.
func (s *stream) lit() (n int) {
	for r := range s.runs {
		if r.is(runLit) && r.known() {
			if n++; n == 3 {
				return n
			}
		}
	}
	return n
}

// light counts a run among the living ones of its stream and series.
func (t *Table) light(l *life, s *stream, r *run) {
	r.flags |= runLit
	if s.ext != nil && r.known() && s.lit() == 2 {
		t.multiply(l, 1)
	}
	if r.dist != nil && r.dist.layout != nil {
		t.changing(s.series)
		if s.series.dist.live(r.dist.layout) {
			t.stats.LayoutConflicts++
		}
	}
}

// lightPushed counts the runs that have points in a push among the living.
func (t *Table) lightPushed(l *life, points []point) {
	for i := range points {
		at, ok := l.find(points[i].key)
		if !ok || at < 0 {
			continue
		}
		s := &l.streams[at]
		for r := range s.runs {
			if !r.is(runLit) && (r.is(runDelta) || r.start == points[i].start) {
				t.light(l, s, r)
			}
		}
	}
}

// douse takes a run from the living ones.
func (t *Table) douse(l *life, s *stream, r *run) {
	if !r.is(runLit) {
		return
	}
	if s.ext != nil && r.known() && s.lit() == 2 {
		t.multiply(l, -1)
	}
	r.flags &^= runLit
	if r.dist != nil && r.dist.layout != nil {
		t.changing(s.series)
		s.series.dist.die(r.dist.layout)
	}
}

// multiply counts the streams of a life that have several living runs.
func (t *Table) multiply(l *life, by int) {
	was := l.multiple > 0
	l.multiple += by
	if is := l.multiple > 0; is != was {
		l.identity.multiple += by
		t.reshare(l.identity)
	}
}

// taking looks whether processes take turns under one identity: an older run
// goes on after a newer one has begun. A last push of the old run that was
// merely late is not later than the new one's.
func (a *applying) taking(l *life, s *stream, r *run, p *point) {
	if r.known() && s.run.known() && r.start != s.run.start && s.run.is(runLit) && p.t > s.run.t {
		a.t.warnShared(l, Event{Text: "several processes push under one identity; they are told apart by start time and each counts"})
	}
}

// besides looks whether lives take turns under one identity: an older one goes
// on after a newer one has begun.
func (t *Table) besides(l *life, newest int64) {
	if lives := l.identity.lives; l.alive() && l.identity.living > 1 && lives[len(lives)-1] != l && newest > lives[len(lives)-1].last {
		t.warnShared(l, Event{Text: "several processes push under one identity; they are told apart by their life attributes and each counts"})
	}
}

func (t *Table) warnShared(l *life, e Event) {
	if l.identity.warned {
		return
	}
	l.identity.warned = true
	e.Warn, e.Worker = true, l.name(t.opt)
	e.Remedy = "give every process a service.instance.id or worker.id of its own, set after the fork"
	t.tell(e)
}
