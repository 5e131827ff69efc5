package core

import "math"

// deltaPoint applies a delta of a monotonic sum or a histogram. Its window is
// added once; the stream's sum so far is kept like the last value of a run, so
// that the state on disk can be merged by maximum too.
func (a *applying) deltaPoint(l *life, s *stream, p *point, ref *metricRef) Outcome {
	var in *dist
	value := p.num.bits
	if ref.kind != kindCounter {
		var err error
		if in, err = a.readDist(s, p, ref); err != nil {
			return a.broken(ref, err)
		}
		defer s.series.family.dropUnused(in.layout)
		l.eventful = l.eventful || in.layout != nil
		value = a.t.hash.dist(in)
	}
	out := a.window(l, &s.extend().windows, window{p.start, p.t, value})
	if out == Duplicate {
		return out
	}
	if in == nil {
		a.addNumber(s, p.num.whole())
		r := s.deltaRun(nil)
		r.setNumber(r.number().plus(p.num))
		a.afterDelta(l, s, r, p)
		return out
	}
	if !a.addWhole(s, in) {
		return a.unfit(s)
	}
	a.limitRuns(l, s)
	r := s.deltaRun(in)
	sofar := in
	if r.dist != nil {
		sofar = r.dist.clone()
		sofar.merge(in)
	}
	a.t.setDist(s, r, sofar)
	a.afterDelta(l, s, r, p)
	a.t.douseOtherDeltas(l, s, r)
	return out
}

// douseOtherDeltas folds the runs of a stream's earlier layouts: a delta is over
// when it has been added, so that only the latest layout lives.
func (t *Table) douseOtherDeltas(l *life, s *stream, latest *run) {
	for r := range s.runs {
		if r != latest && r.is(runDelta) {
			t.douse(l, s, r)
		}
	}
}

func (a *applying) afterDelta(l *life, s *stream, r *run, p *point) {
	to := s.series
	if start := p.start; !to.flushed && start != 0 && start < to.start {
		to.start = start
	}
	a.grown, a.delta = true, true
	if r.t == 0 {
		r.t = p.t
	}
	a.accepted(l, s, r, p)
}

// deltaRun is the run that sums up the deltas of a stream; a histogram has one
// for each layout.
func (s *stream) deltaRun(in *dist) *run {
	for r := range s.runs {
		if r.is(runDelta) && (in == nil || r.dist == nil || r.dist.layout == in.layout) {
			return r
		}
	}
	r := s.begin(run{flags: runDelta})
	return r
}

// plus becomes a double where an int64 would overflow.
func (n number) plus(o number) number {
	if !n.float && !o.float {
		if s := n.int() + o.int(); (s > n.int()) == (o.int() > 0) {
			return ofInt(s)
		}
	}
	sum := n.asFloat() + o.asFloat()
	return ofFloat(max(min(sum, math.MaxFloat64), -math.MaxFloat64))
}

// merge adds a further delta of the same layout.
func (d *dist) merge(o *dist) {
	d.count += o.count
	d.sum += o.sum
	d.hasSum = d.hasSum && o.hasSum
	d.hasMin, d.min = d.hasMin && o.hasMin, min(d.min, o.min)
	d.hasMax, d.max = d.hasMax && o.hasMax, max(d.max, o.max)
	for i, n := range o.buckets {
		d.buckets[i] += n
	}
	if o.exp != nil {
		d.exp.add(o.exp.clone())
	}
}
