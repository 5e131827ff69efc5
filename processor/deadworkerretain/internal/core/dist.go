package core

import (
	"fmt"
	"math/bits"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
)

// dist is one value of a histogram, exponential histogram or summary stream.
type dist struct {
	count  uint64
	sum    float64
	min    float64
	max    float64
	hasSum bool
	hasMin bool
	hasMax bool
	// layout and buckets are those of an explicit histogram.
	layout  *layout
	buckets []uint64
	// exp is that of an exponential histogram.
	exp *expo
}

// readHistogram fills d, whose memory it reuses, and checks what checkHistogram
// left to it. hint is the layout the stream used last: if it is still the same,
// the bounds need neither be checked nor looked up.
func (d *dist) readHistogram(f *family, hint *layout, dp pmetric.HistogramDataPoint) error {
	d.readCommon(dp.Count(), dp.HasSum(), dp.Sum(), dp.HasMin(), dp.Min(), dp.HasMax(), dp.Max())
	d.exp = nil
	if err := d.readBuckets(dp.BucketCounts()); err != nil {
		return err
	}
	bounds := dp.ExplicitBounds()
	if d.layout = hint; hint != nil && hint.equals(bounds) {
		return nil
	}
	if err := checkBounds(bounds); err != nil {
		return err
	}
	d.layout = f.layoutFor(bounds.AsRaw())
	return nil
}

// readBuckets takes a histogram without buckets for one with a single bucket.
func (d *dist) readBuckets(counts pcommon.UInt64Slice) error {
	n := counts.Len()
	if n == 0 {
		d.buckets = append(d.buckets[:0], d.count)
		return nil
	}
	if cap(d.buckets) < n {
		d.buckets = make([]uint64, n)
	}
	d.buckets = d.buckets[:n]
	sum, carry := uint64(0), uint64(0)
	for i := range d.buckets {
		c := counts.At(i)
		d.buckets[i] = c
		var over uint64
		sum, over = bits.Add64(sum, c, 0)
		carry |= over
	}
	switch {
	case carry != 0:
		return errCountOverflow
	case sum != d.count:
		return fmt.Errorf("count is %d, expected the sum of the buckets, %d", d.count, sum)
	}
	return nil
}

func (d *dist) readExponential(dp pmetric.ExponentialHistogramDataPoint) {
	d.readCommon(dp.Count(), dp.HasSum(), dp.Sum(), dp.HasMin(), dp.Min(), dp.HasMax(), dp.Max())
	if d.exp == nil {
		d.exp = &expo{}
	}
	d.exp.read(dp)
	d.layout, d.buckets = nil, d.buckets[:0]
}

func (d *dist) readSummary(dp pmetric.SummaryDataPoint) {
	d.readCommon(dp.Count(), true, dp.Sum(), false, 0, false, 0)
	d.layout, d.buckets, d.exp = nil, d.buckets[:0], nil
}

func (d *dist) readCommon(count uint64, hasSum bool, sum float64, hasMin bool, least float64, hasMax bool, most float64) {
	d.count, d.sum, d.min, d.max = count, sum, least, most
	d.hasSum, d.hasMin, d.hasMax = hasSum, hasMin, hasMax
}

// clone is independent of d.
func (d *dist) clone() *dist {
	c := *d
	c.buckets = append([]uint64(nil), d.buckets...)
	if d.exp != nil {
		c.exp = d.exp.clone()
	}
	return &c
}

// set makes d equal to o without sharing memory.
func (d *dist) set(o *dist) {
	d.buckets = append(d.buckets[:0], o.buckets...)
	buckets, exp := d.buckets, d.exp
	*d = *o
	d.buckets = buckets
	if o.exp != nil {
		if exp == nil {
			exp = &expo{}
		}
		exp.pos.counts = append(exp.pos.counts[:0], o.exp.pos.counts...)
		exp.neg.counts = append(exp.neg.counts[:0], o.exp.neg.counts...)
		pos, neg := exp.pos.counts, exp.neg.counts
		*exp = *o.exp
		exp.pos.counts, exp.neg.counts = pos, neg
		d.exp = exp
	}
}

// relation of a new value of a stream to an older one.
type relation int8

const (
	lower relation = iota - 1
	equal
	higher
)

// compare says whether d can follow o within one run: its count and every
// bucket are at least as high. Both may be brought to a common resolution.
func (d *dist) compare(o *dist) relation {
	if d.count < o.count || !d.holds(o) {
		return lower
	}
	if d.count == o.count {
		return equal
	}
	return higher
}

func (d *dist) holds(o *dist) bool {
	switch {
	case d.exp != nil:
		if d.exp.scale != o.exp.scale || d.exp.threshold != o.exp.threshold {
			o.exp.align(d.exp)
			o.exp.trim()
			d.exp.trim()
		}
		return d.exp.zero >= o.exp.zero && d.exp.pos.holds(&o.exp.pos) && d.exp.neg.holds(&o.exp.neg)
	case d.layout == o.layout:
		for i, n := range o.buckets {
			if d.buckets[i] < n {
				return false
			}
		}
		return true
	default:
		shared := common(d.layout.bounds, o.layout.bounds)
		was := coarsen(o.buckets, o.layout.bounds, shared)
		for i, n := range coarsen(d.buckets, d.layout.bounds, shared) {
			if n < was[i] {
				return false
			}
		}
		return true
	}
}

// gain is what a value adds to a series: itself, or its difference to the last
// value of its run.
type gain struct {
	dist
	sum dd
	// bounds are those of buckets, which need not be a layout of any stream.
	bounds []float64
}

// whole makes g all of d.
func (g *gain) whole(d *dist) {
	g.set(d)
	g.sum = dd{d.sum, 0}
	g.bounds = d.bounds()
}

func (d *dist) bounds() []float64 {
	if d.layout == nil {
		return nil
	}
	return d.layout.bounds
}

// difference makes g what d holds beyond last. d compared as higher or equal.
func (g *gain) difference(d, last *dist) {
	switch {
	case d.exp != nil:
		g.set(d)
		g.bounds = nil
		g.exp.zero -= last.exp.zero
		g.exp.pos.minus(&last.exp.pos)
		g.exp.neg.minus(&last.exp.neg)
	case d.layout == last.layout:
		g.bounds = d.bounds()
		g.exp = nil
		g.buckets = append(g.buckets[:0], d.buckets...)
		was := last.buckets[:len(g.buckets)]
		for i := range g.buckets {
			g.buckets[i] -= was[i]
		}
	default:
		g.exp = nil
		g.bounds = common(d.layout.bounds, last.layout.bounds)
		g.buckets = coarsen(d.buckets, d.layout.bounds, g.bounds)
		for i, n := range coarsen(last.buckets, last.layout.bounds, g.bounds) {
			g.buckets[i] -= n
		}
	}
	g.scalars(d, last)
}

// scalars makes all that is no list what d holds beyond last.
func (g *gain) scalars(d, last *dist) {
	g.count = d.count - last.count
	g.sum = ddDiff(d.sum, last.sum)
	g.hasSum = d.hasSum && last.hasSum
	g.min, g.max, g.hasMin, g.hasMax = d.min, d.max, d.hasMin, d.hasMax
}

// hashDist is the value part of a delta window: equal values, equal hash.
func (h Hasher) dist(d *dist) uint64 {
	k := h.words(roleDepth, d.count, ofFloat(d.sum).bits)
	for i, n := range d.buckets {
		k = k.plus(h.words(roleDepth, uint64(i), n))
	}
	if d.exp != nil {
		k = k.plus(h.words(roleDepth, uint64(d.exp.scale), d.exp.zero))
		for _, side := range []*buckets{&d.exp.pos, &d.exp.neg} {
			for i, n := range side.counts {
				k = k.plus(h.words(roleDepth, uint64(side.offset), uint64(i), n))
			}
		}
	}
	return k.Lo
}
