package core

import "fmt"

// first decides what the first value of a run means: Accepted, it counts whole;
// Baseline or ReturnedLate, it adds nothing and what follows adds differences.
//
// A start that equals the time of the point is the data model's unknown start.
// Some SDKs send it for every series they collect for the first time, where the
// value did begin at zero; some exporters send it with every point. So it is
// treated like no start at all where a stream begins, and as a baseline where
// the stream is known already.
func (a *applying) first(l *life, s *stream, p *point) Outcome {
	o := a.t.opt
	unknown := p.start == 0 || p.start == p.t
	switch {
	case p.start != 0 && a.t.closed.has(a.t.closedKey(l, s, p.start), p.start):
		return ReturnedLate
	case p.start == p.t && s.run.is(runUsed) && o.InitialValue != InitialKeep:
		return a.baseline(l, s)
	case !l.firstCollection(a.now):
		return Accepted
	case o.InitialValue == InitialDrop,
		o.InitialValue == InitialAuto && !o.Durable && (unknown || p.start < a.t.epoch):
		return a.baseline(l, s)
	}
	return Accepted
}

func (a *applying) baseline(l *life, s *stream) Outcome {
	if !l.announced.baseline {
		l.announced.baseline = true
		a.t.tell(Event{
			Worker: l.name(a.t.opt), Metric: s.series.family.name,
			Text:   "the first value of a run that may have been counted before is taken as its baseline",
			Remedy: "set storage so that restarts are told from news, or initial_value: keep",
		})
	}
	return Baseline
}

// begun puts the finishing touches to a run that has just begun.
func (a *applying) begun(l *life, s *stream, r *run, p *point, out Outcome) {
	a.began = true
	r.t = p.t
	r.seen = seconds(a.now.Mono)
	if len(s.others()) > 0 {
		l.eventful = true
	}
	to := s.series
	if out == Accepted && !to.flushed && p.start != 0 && p.start < to.start {
		to.start = p.start
	}
	if l.alive() {
		a.t.light(l, s, r)
	}
	a.grown = a.grown || out == Accepted
}

func (s *stream) others() []run {
	if s.ext == nil {
		return nil
	}
	return s.ext.others
}

// startKey finds lives whose first run began at the same nanosecond.
type startKey struct {
	group Key
	start int64
}

// inherited suspects a process that was forked and goes on exporting its
// parent's totals: another life has the same stream, with the same start to the
// nanosecond and the same value.
func (a *applying) inherited(l *life, s *stream, p *point) {
	if p.start == 0 {
		return
	}
	key := startKey{l.identity.group.key, p.start}
	parent, ok := a.t.starts[key]
	if !ok {
		if len(l.streams) == 1 {
			a.t.starts[key], l.firstStart = l, key
		}
		return
	}
	if parent == l || l.announced.inherited || !parent.has(s.key, p.start, p.num) {
		return
	}
	l.announced.inherited = true
	a.t.stats.Inherited++
	a.t.tell(Event{
		Warn: true, Worker: l.name(a.t.opt), Metric: s.series.family.name,
		Text:   fmt.Sprintf("the worker seems to export totals inherited from %s, which counts them twice", parent.name(a.t.opt)),
		Remedy: "create the meter provider after the fork",
	})
}

func (l *life) has(key Key, start int64, n number) bool {
	at, ok := l.find(key)
	if !ok || at < 0 {
		return false
	}
	for r := range l.streams[at].runs {
		if r.start == start && r.dist == nil && n.compare(ofInt(0)) > 0 && r.number().compare(n) == 0 {
			return true
		}
	}
	return false
}
