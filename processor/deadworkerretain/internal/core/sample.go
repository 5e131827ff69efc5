package core

import "go.opentelemetry.io/collector/pdata/pmetric"

// sample is the value of a series at the cut.
type sample struct {
	series *series
	num    number
	dist   *distSample
}

// sizes counts series by family. Those of a family mostly follow each other.
type sizes struct {
	of     map[*family]int
	family *family
	n      int
}

func (z *sizes) add(f *family) {
	if f != z.family {
		z.done()
		z.family = f
	}
	z.n++
}

func (z *sizes) done() {
	if z.n > 0 {
		z.of[z.family] += z.n
		z.n = 0
	}
}

// distSample is a sample of a histogram, exponential histogram or summary.
type distSample struct {
	count                  uint64
	sum, min, max          float64
	hasSum, hasMin, hasMax bool
	bounds                 []float64
	buckets                []uint64
	exp                    *expo
}

func (f *Flush) take(s *series) {
	if !s.used || s.family.kind.instantaneous() && len(s.members) == 0 {
		return
	}
	if !s.flushed {
		s.start = max(s.start, f.t.epoch, f.gone[s.family.kind.instantaneous()])
		s.flushed = true
	}
	s.shown = true
	f.sizes.add(s.family)
	out := sample{series: s}
	if len(s.exemplars) > 0 {
		if f.exemplars == nil {
			f.exemplars = map[*series][]pmetric.Exemplar{}
		}
		f.exemplars[s] = s.exemplars
		s.exemplars = nil
	}
	switch {
	case s.family.kind.instantaneous():
		out.num = s.level()
	case s.dist != nil:
		out.dist = s.dist.sample(s.family.kind)
	default:
		out.num = s.emit()
	}
	f.taken = append(f.taken, out)
}

// emit never goes below what was emitted before. A double that is added to can
// lose an ulp when it is rounded; more than that the clamp never hides.
func (s *series) emit() number {
	if !s.num.float {
		return s.num.number()
	}
	s.prev = max(s.prev, s.num.f.hi)
	return ofFloat(s.prev)
}

func (t *distTotal) sample(k kind) *distSample {
	d := &distSample{
		count: t.count, sum: t.emitSum(), min: t.min, max: t.max, hasSum: !t.noSum,
		hasMin: t.started && !t.noMin && k != kindSummary, hasMax: t.started && !t.noMax && k != kindSummary,
	}
	switch {
	case k == kindHistogram:
		d.bounds, d.buckets = t.shown, t.explicit()
	case t.exp != nil:
		d.exp = t.exp.clone()
	}
	return d
}

// emitSum may fall only after negative observations.
func (t *distTotal) emitSum() float64 {
	sum := t.sum.hi
	if !t.sumFell {
		sum = max(sum, t.prevSum)
	}
	t.sumFell, t.prevSum = false, sum
	return sum
}
