package core

import "slices"

// Sweep folds what has been silent for too long and forgets what is old. It
// looks at no more than some lives at a time: it reports whether there is more,
// and goes on from there when it is called again with the same instant.
func (t *Table) Sweep(now Instant) (more bool) {
	const lives = 256
	if t.sweeping == 0 {
		t.sweeping = len(t.living)
		t.closed.expire(now.Mono)
	}
	for n := 0; n < lives && t.sweeping > 0; n++ {
		// From the end, because a fold moves the last life to its place.
		t.sweeping = min(t.sweeping, len(t.living))
		if t.sweeping == 0 {
			break
		}
		t.sweeping--
		t.sweepLife(t.living[t.sweeping], now)
	}
	if t.sweeping > 0 {
		return true
	}
	return t.closeOld(now, lives)
}

func (t *Table) sweepLife(l *life, now Instant) {
	stale := int64(l.staleAfter(t.opt))
	if now.Mono-l.seen >= stale {
		t.fold(l, Stale, now)
		return
	}
	if l.eventful && now.Mono-l.swept >= stale/4 {
		l.swept = now.Mono
		t.save(l)
		t.sweepRuns(l, stale, now)
	}
}

// sweepRuns folds the silent runs of a living life. Their values stay as long
// as the life lives, for a series may be silent for hours; unless a later run of
// the stream has begun: then they are kept as those of a dead life.
func (t *Table) sweepRuns(l *life, stale int64, now Instant) {
	for i := range l.streams {
		s := &l.streams[i]
		if s.ext == nil {
			t.douseSilent(l, s, &s.run, stale, now)
			continue
		}
		latest := s.latestStart()
		for r := range s.runs {
			t.douseSilent(l, s, r, stale, now)
		}
		s.ext.others = slices.DeleteFunc(s.ext.others, func(r run) bool {
			if now.Mono-int64(r.seen)*1e9 < int64(t.opt.AfterStaleness)+stale || r.is(runDelta) || r.start >= latest {
				return false
			}
			t.closeAlone(l, s, &r, now)
			return true
		})
	}
}

// closeAlone closes a run of a life that goes on.
func (t *Table) closeAlone(l *life, s *stream, r *run, now Instant) {
	t.closeRun(l, s, r, now)
	if r.dist != nil {
		t.setDistApart(s, r.dist, false)
	} else {
		t.setApart(s, r.number().whole())
	}
}

func (t *Table) douseSilent(l *life, s *stream, r *run, stale int64, now Instant) {
	if now.Mono-int64(r.seen)*1e9 >= stale {
		t.douse(l, s, r)
	}
}

// latestStart is the start of the stream's latest run.
func (s *stream) latestStart() (latest int64) {
	for r := range s.runs {
		if r.known() {
			latest = max(latest, r.start)
		}
	}
	return latest
}

// closeOld closes tombstones that are old enough, and forgets series that
// nobody has fed for the time that was asked for.
func (t *Table) closeOld(now Instant, most int) (more bool) {
	for q := range t.graves.queues {
		for {
			l := t.graves.oldest(q)
			if l == nil || l.death.until > now.Mono {
				break
			}
			if most--; most < 0 {
				return true
			}
			t.closeLife(l, now)
		}
	}
	return t.forgetUnfed(now, most)
}

func (t *Table) forgetUnfed(now Instant, most int) (more bool) {
	if t.opt.RetainedTTL == 0 {
		return false
	}
	for ; t.unfedAt < len(t.slots.all); t.unfedAt++ {
		if most--; most < 0 {
			return true
		}
		s := t.slots.all[t.unfedAt]
		if s == nil || s.family.kind.instantaneous() || s.parent != nil || s.feeders+s.children > 0 {
			continue
		}
		if now.Mono-s.fed >= int64(t.opt.RetainedTTL) {
			t.end(s)
		}
	}
	t.unfedAt = 0
	return false
}
