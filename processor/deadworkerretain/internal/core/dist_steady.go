package core

import "go.opentelemetry.io/collector/pdata/pmetric"

// goesOn applies what nearly every point of an explicit histogram is: one more
// value of the stream's only run, with the bounds it had, and no bucket lower. It
// adds the point to its series without the copies and comparisons that the other
// cases need. It reports false, and has changed nothing, if this is none such.
func (a *applying) goesOn(l *life, s *stream, p *point, dp pmetric.HistogramDataPoint) bool {
	r := &s.run
	if !s.ordinary() || !r.is(runUsed) || r.is(runDelta) || r.start != p.start || r.start == 0 && p.t <= r.t {
		return false
	}
	last, total := r.dist, s.series.dist
	count := dp.Count()
	if last.layout == nil || count <= last.count || !total.fits(count-last.count) ||
		len(total.counts) != len(last.buckets) || !sameBounds(total.bounds, last.layout.bounds) ||
		!last.layout.equals(dp.ExplicitBounds()) || !last.before(dp) {
		return false
	}
	a.t.touch(s.series)
	next := dist{
		count: count, sum: dp.Sum(), min: dp.Min(), max: dp.Max(),
		hasSum: dp.HasSum(), hasMin: dp.HasMin(), hasMax: dp.HasMax(),
		layout: last.layout, buckets: last.buckets,
	}
	gain := &a.t.scratch.gain
	gain.scalars(&next, last)
	total.addCommon(gain)
	had, counts := last.buckets, dp.BucketCounts()
	to := total.counts[:len(had)]
	for i, was := range had {
		c := counts.At(i)
		to[i] += c - was
		had[i] = c
	}
	*last = next
	a.grown = true
	a.accepted(l, s, r, p)
	return true
}

// ordinary reports whether a point can concern nothing but the stream's newest
// run. Exemplars, which many streams have, do not matter here.
func (s *stream) ordinary() bool {
	return s.ext == nil || len(s.ext.others) == 0 && s.ext.windows == nil && !s.ext.dip.active
}

// before reports whether dp, whose count is higher than d's, has buckets that add
// up to it and none that is lower than d's. Rises so high that their sum could wrap
// around, as a fall does, are left to others.
func (d *dist) before(dp pmetric.HistogramDataPoint) bool {
	const tooHigh = 1 << 50 // 4096 of them are 1<<62
	counts := dp.BucketCounts()
	if counts.Len() != len(d.buckets) || len(d.buckets) > maxBounds {
		return false
	}
	sum, rises := uint64(0), uint64(0)
	for i, was := range d.buckets {
		c := counts.At(i)
		sum += c
		rises |= c - was
	}
	return sum == dp.Count() && rises < tooHigh
}
