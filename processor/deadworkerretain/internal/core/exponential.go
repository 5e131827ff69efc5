package core

import "go.opentelemetry.io/collector/pdata/pmetric"

const (
	// maxBuckets is the most buckets of one side of an emitted exponential
	// histogram; it is the size that SDKs use by default.
	// https://opentelemetry.io/docs/specs/otel/metrics/sdk/#base2-exponential-bucket-histogram-aggregation
	maxBuckets = 160
	// minScale and maxScale bound what is accepted. At minScale all doubles fit
	// into maxBuckets, so that no series is ever scaled below it.
	minScale = -4
	maxScale = 20
)

// expo is the buckets of an exponential histogram.
type expo struct {
	scale     int32
	zero      uint64
	threshold float64
	pos, neg  buckets
}

func (e *expo) read(dp pmetric.ExponentialHistogramDataPoint) {
	e.scale, e.zero, e.threshold = dp.Scale(), dp.ZeroCount(), dp.ZeroThreshold()
	e.pos.read(dp.Positive())
	e.neg.read(dp.Negative())
}

func (b *buckets) read(dp pmetric.ExponentialHistogramDataPointBuckets) {
	counts := dp.BucketCounts()
	b.offset, b.counts = int64(dp.Offset()), b.counts[:0]
	for i := range counts.Len() {
		b.counts = append(b.counts, counts.At(i))
	}
	b.trim()
}

func (e *expo) trim() {
	e.pos.trim()
	e.neg.trim()
}

func (e *expo) downscaleTo(scale int32) {
	if by := e.scale - scale; by > 0 {
		e.pos.downscale(uint(by))
		e.neg.downscale(uint(by))
		e.scale = scale
	}
}

// raise lifts the zero threshold to at least t. A bucket that holds part of the
// zero region then moves there whole, which lifts the threshold to its edge:
//
//	        threshold
//	  bucket    |   |bucket
//	|-----------:---|-------|
//	            ^-->^ the bucket counts as zero
func (e *expo) raise(t float64) {
	e.threshold = max(e.threshold, t)
	if e.threshold == 0 {
		return
	}
	for {
		lowest, ok := e.lowest()
		if !ok || lowerEdge(lowest, e.scale) >= e.threshold {
			return
		}
		e.zero += e.pos.takeBelow(lowest) + e.neg.takeBelow(lowest)
		e.threshold = max(e.threshold, lowerEdge(lowest+1, e.scale))
	}
}

// lowest is the index of the lowest bucket in use on either side.
func (e *expo) lowest() (int64, bool) {
	e.trim()
	switch {
	case len(e.pos.counts) == 0 && len(e.neg.counts) == 0:
		return 0, false
	case len(e.pos.counts) == 0:
		return e.neg.offset, true
	case len(e.neg.counts) == 0:
		return e.pos.offset, true
	}
	return min(e.pos.offset, e.neg.offset), true
}

// fit scales down until each side's range, together with o's, has at most
// maxBuckets buckets.
func (e *expo) fit(o *expo) {
	by := uint(0)
	for _, side := range [2][2]*buckets{{&e.pos, &o.pos}, {&e.neg, &o.neg}} {
		lo, hi, used := span(side[0], side[1], by)
		for used && hi-lo >= maxBuckets {
			by++
			lo, hi, used = span(side[0], side[1], by)
		}
	}
	e.downscaleTo(e.scale - int32(by))
	o.downscaleTo(e.scale)
}

// span is the first and last index of two sides after a downscale.
func span(a, b *buckets, by uint) (lo, hi int64, used bool) {
	for _, s := range [2]*buckets{a, b} {
		if len(s.counts) == 0 {
			continue
		}
		first, last := s.offset>>by, (s.end()-1)>>by
		if !used {
			lo, hi, used = first, last, true
			continue
		}
		lo, hi = min(lo, first), max(hi, last)
	}
	return lo, hi, used
}

// align brings both to the lower scale and to one zero threshold.
func (e *expo) align(o *expo) {
	scale := min(e.scale, o.scale)
	e.downscaleTo(scale)
	o.downscaleTo(scale)
	e.alignZero(o)
}

// alignZero ends because a threshold only moves up, from edge to edge.
func (e *expo) alignZero(o *expo) {
	e.raise(o.threshold)
	o.raise(e.threshold)
	for e.threshold != o.threshold {
		e.raise(o.threshold)
		o.raise(e.threshold)
	}
}

// add adds o, which it may change.
func (e *expo) add(o *expo) {
	scale := min(e.scale, o.scale)
	e.downscaleTo(scale)
	o.downscaleTo(scale)
	e.fit(o)
	e.alignZero(o)
	e.zero += o.zero
	e.pos.add(&o.pos)
	e.neg.add(&o.neg)
}

// clone is independent of e.
func (e *expo) clone() *expo {
	c := *e
	c.pos.counts = append([]uint64(nil), e.pos.counts...)
	c.neg.counts = append([]uint64(nil), e.neg.counts...)
	return &c
}

// holds reports whether no count of o, in the same shape, is above b's.
func (b *buckets) holds(o *buckets) bool {
	if len(o.counts) == 0 {
		return true
	}
	// Both are trimmed: what o has at its ends, b must have too.
	if o.offset < b.offset || o.end() > b.end() {
		return false
	}
	mine := b.counts[o.offset-b.offset:][:len(o.counts)]
	for i, n := range o.counts {
		if n > mine[i] {
			return false
		}
	}
	return true
}

// minus takes o, which b holds, out of b.
func (b *buckets) minus(o *buckets) {
	if len(o.counts) == 0 {
		return
	}
	mine := b.counts[o.offset-b.offset:][:len(o.counts)]
	for i, n := range o.counts {
		mine[i] -= n
	}
}
