package core

// streamPoint applies a point of a monotonic stream: a counter, a histogram, a summary.
func (a *applying) streamPoint(l *life, s *stream, p *point, ref *metricRef) Outcome {
	if s.series.gone || (a.t.opt.Split && s.series.parent == nil && l.alive()) {
		if !a.rehome(l, s, p, ref) {
			return Refused
		}
	}
	if p.noVal {
		a.t.endRuns(l, s, a.now)
		return Accepted
	}
	var out Outcome
	switch {
	case ref.delta:
		out = a.deltaPoint(l, s, p, ref)
	case ref.kind == kindCounter:
		out = a.numberPoint(l, s, p)
	default:
		out = a.distPoint(l, s, p, ref)
	}
	if out == Accepted || out == Overlap {
		if p.exemplars {
			a.exemplars(s, p, ref)
		}
		if s.series.family.overflow == s.series || (s.series.parent != nil && s.series.family.overflow == s.series.parent) {
			return Overflowed
		}
	}
	return out
}

// rehome finds a stream a series again, after its own was forgotten or folded.
func (a *applying) rehome(l *life, s *stream, p *point, ref *metricRef) bool {
	to := s.series
	if to.gone {
		if to = a.t.seriesOf(l, p, ref, a.now); to == nil {
			a.refuseSeries(ref)
			return false
		}
	} else {
		to = a.t.ownSeries(l, to, a.now)
	}
	if to == s.series {
		return true
	}
	a.t.changing(to)
	// What the stream counted so far stays where it is: from here on the series
	// gets differences. So it begins now, and the extremes of a difference are
	// not known.
	if s.run.is(runUsed) {
		to.flushed = true
		if to.dist != nil {
			to.dist.noMin, to.dist.noMax = true, true
		}
	}
	if l.alive() {
		s.series.feeders--
		to.feeders++
	}
	a.t.relight(s, to)
	s.series = to
	return true
}

// accepted takes note that a run has a new last value.
func (a *applying) accepted(l *life, s *stream, r *run, p *point) {
	later := p.t > r.t
	a.known = a.known || later
	if later && r != &s.run {
		a.taking(l, s, r, p)
	}
	r.t = max(r.t, p.t)
	r.seen = seconds(a.now.Mono)
	if s.ext != nil {
		if later {
			// A start that is pushed again does not move with every push.
			s.ext.moves = 0
		}
		if s.ext.dip.active && s.ext.dip.start == r.start && p.t > s.ext.dip.t {
			s.ext.dip.active = false
		}
	}
	if !r.is(runLit) && l.alive() {
		a.t.light(l, s, r)
	}
}

// seconds rounds up, so that nothing is taken for silent before its time.
func seconds(mono int64) uint32 { return uint32((mono + 999_999_999) / 1_000_000_000) }

// relight moves the living layouts of a stream to another series.
func (t *Table) relight(s *stream, to *series) {
	lit := func(r *run) bool { return r.is(runLit) && r.dist != nil && r.dist.layout != nil }
	for r := range s.runs {
		if lit(r) && !s.series.gone {
			t.changing(s.series)
			s.series.dist.die(r.dist.layout)
		}
	}
	s.relayout(to.family)
	for r := range s.runs {
		if lit(r) {
			to.dist.live(r.dist.layout)
		}
	}
}

// relayout makes the runs of a stream use the layouts of another family.
func (s *stream) relayout(to *family) {
	for r := range s.runs {
		if r.dist == nil || r.dist.layout == nil {
			continue
		}
		l := to.layoutFor(r.dist.layout.bounds)
		l.users++
		s.series.family.release(r.dist.layout)
		r.dist.layout = l
	}
}

// endRuns folds the runs of a stream on a no-recorded-value point. Their values
// stay as long as the life lives, because the point may have been wrong.
// https://opentelemetry.io/docs/specs/otel/metrics/data-model/#no-recorded-value
func (t *Table) endRuns(l *life, s *stream, _ Instant) {
	for r := range s.runs {
		t.douse(l, s, r)
	}
	l.eventful = true
}
