package core

import "slices"

// level is an instantaneous stream of a life: the current value of a gauge or
// of a non-monotonic sum. It leaves with its life.
type level struct {
	key    Key
	life   *life
	series *series
	t      int64
	num    number
	// place is the level's index among the members of its series.
	place int
	// early is the time of the last point that came with an earlier time, 0 if
	// the one after it was in order.
	early   int64
	windows *windows
}

// levelPoint applies a point of a gauge or a non-monotonic sum.
func (a *applying) levelPoint(l *life, p *point, ref *metricRef, next *int) Outcome {
	if ref.agg == Drop {
		return Accepted
	}
	if !l.alive() {
		return Late
	}
	at := a.findLevel(l, p.key, next)
	if p.noVal {
		if at >= 0 {
			a.t.dropLevel(l, at)
		}
		return Accepted
	}
	if at < 0 {
		return a.newLevel(l, p, ref)
	}
	return a.setLevel(l, l.levels[at], p, ref)
}

func (a *applying) findLevel(l *life, key Key, next *int) int {
	at := *next
	if at >= len(l.levels) || l.levels[at].key != key {
		i, ok := l.find(key)
		if !ok || i >= 0 {
			return -1
		}
		at = int(^i)
	}
	*next = at + 1
	return at
}

func (a *applying) newLevel(l *life, p *point, ref *metricRef) Outcome {
	if !a.room(l) {
		return Refused
	}
	s := a.t.levelSeries(l, p, ref, a.now)
	if s == nil {
		a.refuseSeries(ref)
		return Refused
	}
	lv := &level{key: p.key, life: l, series: s, t: p.t, num: p.num, place: len(s.members)}
	if ref.delta {
		a.window(l, &lv.windows, window{p.start, p.t, p.num.bits})
		a.delta = true
	}
	a.t.touch(s)
	l.note(p.key, ^int32(len(l.levels)))
	l.levels = append(l.levels, lv)
	s.members = append(s.members, lv)
	if p.start != 0 && p.start < s.start && !s.flushed {
		s.start = p.start
	}
	a.t.stats.Streams++
	if s.family.overflow == s {
		return Overflowed
	}
	return Accepted
}

// setLevel takes the latest value; of equal times the last to arrive. One point
// with an earlier time is late; two in a row mean that the worker's clock was
// set back, and then the order of arrival decides.
func (a *applying) setLevel(l *life, lv *level, p *point, ref *metricRef) Outcome {
	if ref.delta {
		out := a.window(l, &lv.windows, window{p.start, p.t, p.num.bits})
		if out != Duplicate {
			a.t.touch(lv.series)
			lv.num, lv.t = lv.num.plus(p.num), max(lv.t, p.t)
			a.delta = true
		}
		return out
	}
	switch {
	case p.t == lv.t && p.num == lv.num:
		return Duplicate
	case p.t < lv.t && lv.early == 0:
		lv.early = p.t
		return Late
	case p.t < lv.t && lv.early == p.t:
		return Duplicate
	}
	a.t.touch(lv.series)
	lv.t, lv.num, lv.early = p.t, p.num, 0
	if lv.series.family.overflow == lv.series {
		return Overflowed
	}
	return Accepted
}

// levelSeries is the series that a level counts in: the life's own, or an aggregated one.
func (t *Table) levelSeries(l *life, p *point, ref *metricRef, now Instant) *series {
	g := l.identity.group
	if ref.agg == PerWorker {
		g = l.ownGroup(t)
	}
	return t.seriesIn(g, p, ref, now)
}

// dropLevel ends a level. A series without levels ends with it.
func (t *Table) dropLevel(l *life, at int) {
	lv := l.levels[at]
	t.leave(lv)
	l.unnote(lv.key)
	last := len(l.levels) - 1
	if at < last {
		l.levels[at] = l.levels[last]
		l.note(l.levels[at].key, ^int32(at))
	}
	l.levels[last] = nil
	l.levels = l.levels[:last]
	t.stats.Streams--
}

// dropLevels ends all levels of a life that has died.
func (t *Table) dropLevels(l *life) {
	for _, lv := range l.levels {
		t.leave(lv)
		l.unnote(lv.key)
	}
	t.stats.Streams -= len(l.levels)
	l.levels = nil
}

func (t *Table) leave(lv *level) {
	t.detach(lv)
	if s := lv.series; len(s.members) == 0 {
		t.end(s)
	}
}

// detach takes a level out of its series.
func (t *Table) detach(lv *level) {
	s := lv.series
	t.touch(s)
	last := len(s.members) - 1
	s.members[lv.place] = s.members[last]
	s.members[lv.place].place = lv.place
	s.members[last] = nil
	s.members = s.members[:last]
}

// level is what the aggregated series shows of its members.
func (s *series) level() number {
	switch s.family.agg {
	case Min:
		return slices.MinFunc(s.members, byValue).num
	case Max:
		return slices.MaxFunc(s.members, byValue).num
	case Last, PerWorker:
		return slices.MaxFunc(s.members, func(a, b *level) int { return cmp(a.t, b.t) }).num
	case Mean:
		sum := s.sumOfLevels()
		return ofFloat(sum.asFloat() / float64(len(s.members)))
	default:
		return s.sumOfLevels()
	}
}

func byValue(a, b *level) int { return a.num.compare(b.num) }

// sumOfLevels is an int if all levels are and it fits.
func (s *series) sumOfLevels() number {
	var t total
	for _, lv := range s.members {
		t.add(lv.num.whole())
	}
	return t.number()
}
