package core

import "fmt"

// distPoint applies a point of a cumulative histogram, exponential histogram or summary.
func (a *applying) distPoint(l *life, s *stream, p *point, ref *metricRef) Outcome {
	if ref.kind == kindHistogram && a.goesOn(l, s, p, ref.metric.Histogram().DataPoints().At(int(p.index))) {
		return Accepted
	}
	in, err := a.readDist(s, p, ref)
	if err != nil {
		return a.broken(ref, err)
	}
	defer s.series.family.dropUnused(in.layout)
	l.eventful = l.eventful || in.layout != nil
	r := s.find(p.start, func(r *run) bool { return in.compare(r.dist) != lower })
	if r == nil {
		return a.firstDist(l, s, p, in)
	}
	switch in.compare(r.dist) {
	case higher:
		if r.start == 0 && p.t <= r.t {
			return Late
		}
		gain := &a.t.scratch.gain
		gain.difference(in, r.dist)
		if !a.addDist(s, gain) {
			return a.unfit(s)
		}
		a.grown = true
		a.t.setDist(s, r, in)
		a.accepted(l, s, r, p)
		return Accepted
	case equal:
		if p.t <= r.t {
			return Duplicate
		}
		a.t.setDist(s, r, in)
		a.accepted(l, s, r, p)
		return Accepted
	}
	switch {
	case p.t <= r.t:
		return Late
	case r.start != 0 && !a.hiddenReset(l, s, r, p):
		return Dip
	}
	if !a.addWhole(s, in) {
		return a.unfit(s)
	}
	a.grown = true
	if r.start == 0 {
		a.t.setDistApart(s, r.dist, false)
		a.t.setDist(s, r, in)
	} else {
		a.t.douse(l, s, r)
		a.limitRuns(l, s)
		r = s.begin(run{start: p.start})
		a.t.setDist(s, r, in)
	}
	a.accepted(l, s, r, p)
	return Accepted
}

// broken refuses a point whose fault shows only when its buckets are read.
func (a *applying) broken(ref *metricRef, err error) Outcome {
	if a.refusal == nil {
		a.refusal = named(ref.metric, err)
	}
	return Invalid
}

func (a *applying) readDist(s *stream, p *point, ref *metricRef) (in *dist, err error) {
	in = &a.t.scratch.in
	i := int(p.index)
	switch ref.kind {
	case kindHistogram:
		var hint *layout
		if s.run.dist != nil {
			hint = s.run.dist.layout
		}
		err = in.readHistogram(s.series.family, hint, ref.metric.Histogram().DataPoints().At(i))
	case kindExponential:
		in.readExponential(ref.metric.ExponentialHistogram().DataPoints().At(i))
	default:
		in.readSummary(ref.metric.Summary().DataPoints().At(i))
	}
	return in, err
}

func (a *applying) addDist(s *stream, g *gain) bool {
	a.t.touch(s.series)
	return s.series.dist.fits(g.count) && s.series.dist.add(g)
}

func (a *applying) addWhole(s *stream, in *dist) bool {
	gain := &a.t.scratch.gain
	gain.whole(in)
	return a.addDist(s, gain)
}

// unfit refuses a value that the series cannot hold.
func (a *applying) unfit(s *stream) Outcome {
	metric := s.series.family.name
	limit := &LimitError{
		Limit: "the number of distinct bounds of a histogram series", Value: maxBounds,
		What: fmt.Sprintf("a further layout of metric %q is refused", metric),
	}
	if !s.series.dist.fits(a.t.scratch.gain.count) {
		limit = &LimitError{
			Limit: "the number of bits of a count", Value: 64,
			What: fmt.Sprintf("a value of metric %q that would overflow it is refused", metric),
		}
	}
	a.refusal = limit
	return Refused
}

func (a *applying) firstDist(l *life, s *stream, p *point, in *dist) Outcome {
	out := a.first(l, s, p)
	if out == Accepted {
		if !a.addWhole(s, in) {
			return a.unfit(s)
		}
		a.inherited(l, s, p)
	} else {
		a.t.touch(s.series)
		s.series.dist.baseline(in)
		a.t.setDistApart(s, in, true)
	}
	a.moving(l, s, p, in.grown(&s.run))
	a.limitRuns(l, s)
	r := s.begin(run{start: p.start})
	a.t.setDist(s, r, in)
	a.begun(l, s, r, p, out)
	return out
}

// setDist makes a value the last of a run, and its layout the run's.
func (t *Table) setDist(s *stream, r *run, in *dist) {
	if r.dist == nil {
		r.dist = &dist{}
	}
	was := r.dist.layout
	if was != in.layout {
		if in.layout != nil {
			in.layout.users++
		}
		if r.is(runLit) {
			t.changing(s.series)
			if s.series.dist.live(in.layout) {
				t.stats.LayoutConflicts++
			}
			if was != nil {
				s.series.dist.die(was)
			}
		}
	}
	r.dist.set(in)
	if was != in.layout {
		s.series.family.release(was)
	}
}

// dropUnused forgets a layout that no run came to use.
func (f *family) dropUnused(l *layout) {
	if l != nil && l.users == 0 {
		l.users = 1
		f.release(l)
	}
}
