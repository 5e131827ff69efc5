package core

import "fmt"

func (t *Table) restoreStream(l *life, sr *streamRecord, now Instant) error {
	to, ok := t.series[sr.series]
	if !ok {
		to = sr.forgotten()
	}
	l.note(sr.key, int32(len(l.streams)))
	l.streams = append(l.streams, stream{key: sr.key, series: to})
	s := &l.streams[len(l.streams)-1]
	if l.alive() {
		to.feeders++
		t.stats.Streams++
	}
	// The newest run is the first of the record, and the last to begin.
	for i := range sr.runs {
		if err := t.restoreRun(l, s, &sr.runs[(i+1)%len(sr.runs)], now); err != nil {
			return err
		}
	}
	s.restoreExtras(sr)
	return nil
}

// forgotten stands in for a series that was forgotten before the life that fed
// it. The stream leaves it when it goes on.
func (sr *streamRecord) forgotten() *series {
	return &series{key: sr.series, gone: true, family: &family{kind: sr.kind()}}
}

// kind is what the runs of a stream look like.
func (sr *streamRecord) kind() kind {
	for i := range sr.runs {
		switch d := sr.runs[i].dist; {
		case d == nil:
		case d.exp != nil:
			return kindExponential
		case len(d.buckets) > 0:
			return kindHistogram
		default:
			return kindSummary
		}
	}
	return kindCounter
}

func (s *stream) restoreExtras(sr *streamRecord) {
	if sr.windows != nil {
		s.extend().windows = sr.windows
	}
	if sr.exemplars != nil {
		s.extend().exemplars = sr.exemplars
	}
	if sr.apart != nil {
		s.extend().apart = sr.apart
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
	if lit && l.alive() && !s.series.gone {
		conflicts := t.stats.LayoutConflicts
		t.light(l, s, at)
		t.stats.LayoutConflicts = conflicts
	}
	return nil
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

func (t *Table) restoreLevel(l *life, lr *levelRecord) error {
	s, ok := t.series[lr.series]
	if !ok || !s.family.kind.instantaneous() {
		return errNoSeries
	}
	lv := &level{key: lr.key, life: l, series: s, t: lr.t, num: lr.num, windows: lr.windows, place: len(s.members)}
	l.note(lr.key, ^int32(len(l.levels)))
	l.levels = append(l.levels, lv)
	s.members = append(s.members, lv)
	t.stats.Streams++
	if s.family.agg == PerWorker {
		l.own = s.family.group
	}
	return nil
}
