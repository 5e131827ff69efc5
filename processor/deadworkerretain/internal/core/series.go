package core

import (
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
)

// series is one output series and what it has added up to.
type series struct {
	key    Key
	family *family
	attrs  pcommon.Map
	slot   uint32
	// collected is the number of the last flush that has taken the value.
	collected uint32
	// start is the start time that is emitted, final once the series was flushed.
	start   int64
	flushed bool
	// shown series have been part of an output, so that their end must be told.
	shown bool
	gone  bool
	// used is set by the first contribution. A retained series of split output
	// waits for its first fold.
	used bool
	// parent is the retained series that this one is folded into; in split output only.
	parent *series

	num  total
	prev float64
	dist *distTotal
	// members are the levels of the living lives.
	members []*level

	exemplars []pmetric.Exemplar
	// feeders counts the living streams, children the series of living lives
	// that are folded into this one.
	feeders, children int
	// fed is when the last living stream left, by Mono.
	fed int64
}

// maxExemplars is the most exemplars a series emits per flush.
const maxExemplars = 16

// under makes s a life's part of a retained series.
func (s *series) under(parent *series) {
	s.parent = parent
	parent.children++
}

// newSeries makes a series of a family, or finds it, or answers with the
// family's overflow series if there is no room, or with nil if there is none
// even for that.
func (t *Table) newSeries(f *family, key Key, attrs pcommon.Map, now Instant) *series {
	if s, ok := t.series[key]; ok {
		return s
	}
	if len(t.series)-t.overflows >= t.opt.MaxSeries {
		return t.overflowOf(f, now)
	}
	return t.addSeries(f, key, attrs, now)
}

func (t *Table) addSeries(f *family, key Key, attrs pcommon.Map, now Instant) *series {
	s := &series{key: key, family: f, attrs: pcommon.NewMap(), start: now.Wall, fed: now.Mono}
	attrs.CopyTo(s.attrs)
	switch f.kind {
	case kindHistogram, kindExponential, kindSummary:
		s.dist = &distTotal{}
	}
	f.series++
	t.series[key] = s
	s.slot = t.slots.put(s)
	t.unsaved.named(s.slot)
	if t.flush != nil {
		s.collected = t.flush.id
	}
	return s
}

// overflowAttr marks the series that takes what is beyond a limit.
// https://opentelemetry.io/docs/specs/otel/metrics/sdk/#overflow-attribute
const overflowAttr = "otel.metric.overflow"

func (t *Table) overflowOf(f *family, now Instant) *series {
	if f.overflow != nil {
		return f.overflow
	}
	// Overflow series need room too: a sender could make up metric names for ever.
	if f.agg == PerWorker && f.kind.instantaneous() || t.overflows >= t.opt.MaxSeries/10+100 {
		return nil
	}
	attrs := pcommon.NewMap()
	attrs.PutBool(overflowAttr, true)
	f.overflow = t.addSeries(f, f.key.plus(t.hash.words(roleOverflow)), attrs, now)
	t.overflows++
	return f.overflow
}

// forget removes a series. In a running flush it is taken first.
func (t *Table) forget(s *series) {
	t.changing(s)
	s.gone = true
	delete(t.series, s.key)
	t.slots.free(s.slot)
	t.unsaved.named(s.slot)
	if s.parent != nil {
		s.parent.children--
	}
	f := s.family
	if f.overflow == s {
		f.overflow = nil
		t.overflows--
	}
	if f.series--; f.series == 0 {
		t.dropFamily(f)
	}
	if s.flushed && s.parent == nil {
		*t.goneSince(f.kind) = t.lastFlush
	}
}

// goneSince is the last flush that held a series which is gone. A series of the
// same name may begin no earlier. Levels come and go all the time, so that they
// have a moment of their own.
func (t *Table) goneSince(k kind) *int64 {
	if k.instantaneous() {
		return &t.levelsGone
	}
	return &t.seriesGone
}

// settled reports whether an output would fix nothing new: not the start, nor
// what may not be undercut from then on.
func (s *series) settled() bool {
	switch {
	case !s.flushed:
		return false
	case s.dist != nil:
		return s.dist.prevSum >= s.dist.sum.hi && !s.dist.sumFell
	}
	return !s.num.float || s.prev >= s.num.f.hi
}

// changing must be called before a series changes: a running flush takes it as
// it was at the cut.
func (t *Table) changing(s *series) {
	if t.flush != nil && s.collected != t.flush.id {
		t.flush.collect(s)
	}
	t.unsaved.series(s.slot)
}

// touch must be called before something is added to a series. From then on it
// is part of the output.
func (t *Table) touch(s *series) {
	t.changing(s)
	if !s.used {
		s.used = true
		if s.flushed {
			// An earlier series of this life may have ended in the last output.
			s.start = max(s.start, t.lastFlush)
		}
	}
}
