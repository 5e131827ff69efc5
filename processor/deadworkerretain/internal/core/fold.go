package core

import "github.com/otelcol-workers/otelcol-workers/internal/lifecycle"

// fold ends a life. No number of the total changes: what the life has counted
// stays where it is, its last values go to the tombstones, and what is
// instantaneous leaves.
func (t *Table) fold(l *life, why Reason, now Instant) {
	t.save(l)
	t.deaths++
	keep := t.opt.AfterStaleness
	if why == Goodbye {
		keep = t.opt.AfterGoodbye
	}
	t.become(l, lifecycle.Terminated)
	l.death = death{reason: why, at: now.Mono, serial: t.deaths, until: now.Mono + int64(keep)}
	t.unlive(l)
	t.graves.add(l)
	t.stats.Folds[why]++
	t.stats.Streams -= len(l.streams)
	t.dropLevels(l)
	for i := range l.streams {
		t.foldStream(l, &l.streams[i], now)
	}
	l.own = nil
	t.limitGraves(now)
}

func (t *Table) foldStream(l *life, s *stream, now Instant) {
	for r := range s.runs {
		t.douse(l, s, r)
	}
	to := s.series
	to.feeders--
	to.fed = now.Mono
	if to.parent != nil {
		if !to.gone {
			t.foldOwn(to, now)
		}
		s.relayout(to.parent.family)
		s.series = to.parent
	}
}

// revive undoes a fold. The last values are still there, so that what the life
// pushes now adds only the difference.
func (t *Table) revive(l *life, now Instant) {
	if len(t.living) >= t.opt.MaxWorkers {
		return
	}
	t.save(l)
	t.graves.n--
	t.enliven(l)
	l.swept = now.Mono
	l.gaps = gaps{}
	t.stats.Streams += len(l.streams)
	for i := range l.streams {
		l.streams[i].series.feeders++
	}
	l.eventful = true
}

// returned counts a life that was dead and goes on: with a run it had before, or
// with nothing that has runs, such as gauges. A successor under the same name,
// all of whose runs are new, returns from nowhere.
func (t *Table) returned(*life) { t.stats.Returns++ }

// foldRuns folds those runs of a shared identity that have points in a block:
// one of several processes says goodbye.
func (t *Table) foldRuns(l *life, points []point, now Instant) {
	t.save(l)
	for i := range points {
		at, ok := l.find(points[i].key)
		if !ok || at < 0 {
			continue
		}
		s := &l.streams[at]
		for r := range s.runs {
			if r.start == points[i].start {
				t.douse(l, s, r)
			}
		}
	}
	for i := range l.streams {
		for r := range l.streams[i].runs {
			if r.is(runLit) {
				return
			}
		}
	}
	t.fold(l, Goodbye, now)
}

// closeLife forgets the values of a dead life. That its runs were counted is
// remembered, so that they are not counted again.
func (t *Table) closeLife(l *life, now Instant) {
	t.save(l)
	t.graves.n--
	for i := range l.streams {
		s := &l.streams[i]
		for r := range s.runs {
			t.closeRun(l, s, r, now)
		}
	}
	t.lifeSlots.free(l.slot)
	t.unsaved.lifeGone(l)
	l.buried = true
	if t.starts[l.firstStart] == l {
		delete(t.starts, l.firstStart)
	}
	t.bury(l)
	t.shrink()
}

func (t *Table) closeRun(l *life, s *stream, r *run, now Instant) {
	if s.ext != nil {
		delete(s.ext.exemplars, r.start)
	}
	if r.known() {
		// A start in the future must not make all that begins until then look old.
		t.closed.add(t.closedKey(l, s, r.start), min(r.start, now.Wall), now.Mono)
	}
	if r.dist != nil && r.dist.layout != nil {
		s.series.family.release(r.dist.layout)
	}
}

// limitGraves closes the oldest tombstones early when there are too many.
func (t *Table) limitGraves(now Instant) {
	for t.graves.n > t.opt.MaxTombstones {
		a, b := t.graves.oldest(0), t.graves.oldest(1)
		if a == nil || (b != nil && b.death.serial < a.death.serial) {
			a = b
		}
		t.stats.ClosedEarly++
		t.closeLife(a, now)
	}
}
