package series

import (
	"math"
)

// UpperEdge is the largest value that the bucket of an exponential histogram
// holds: base^(index+1), with base = 2^(2^-scale).
func UpperEdge(scale, index int32) float64 {
	return math.Exp2(float64(index+1) * math.Exp2(-float64(scale)))
}

// ByIndex is the non-empty buckets by their index at a scale that is not finer.
func (b Buckets) ByIndex(from, to int32) map[int32]uint64 {
	out := map[int32]uint64{}
	for i, n := range b.Counts {
		if n > 0 {
			out[(b.Offset+int32(i))>>(from-to)] += n
		}
	}
	return out
}

// FromIndex is the buckets of a map by index, from the lowest to the highest.
func FromIndex(m map[int32]uint64) Buckets {
	if len(m) == 0 {
		return Buckets{}
	}
	low, high := int32(math.MaxInt32), int32(math.MinInt32)
	for i := range m {
		low, high = min(low, i), max(high, i)
	}
	b := Buckets{Offset: low, Counts: make([]uint64, high-low+1)}
	for i, n := range m {
		b.Counts[i-low] = n
	}
	return b
}

// Coarser is the same histogram at a lower scale and a higher zero threshold:
// a bucket that ends at or below the threshold counts as zero.
func (e *Exp) Coarser(scale int32, threshold float64) *Exp {
	out := *e
	out.Scale, out.Threshold = scale, threshold
	below := func(m map[int32]uint64, scale int32) map[int32]uint64 {
		for i, n := range m {
			if edge := UpperEdge(scale, i); edge < threshold || Close(edge, threshold) {
				out.Zero += n
				delete(m, i)
			}
		}
		return m
	}
	side := func(b Buckets) Buckets {
		fine := FromIndex(below(b.ByIndex(0, 0), e.Scale))
		return FromIndex(below(fine.ByIndex(e.Scale, scale), scale))
	}
	out.Pos, out.Neg = side(e.Pos), side(e.Neg)
	return &out
}

// Add is the sum of two histograms at the lower scale and the higher threshold.
// The scale of an empty one says nothing.
func (e *Exp) Add(other *Exp) *Exp {
	scale, threshold := min(e.Scale, other.Scale), math.Max(e.Threshold, other.Threshold)
	switch {
	case e.Count == 0:
		scale = other.Scale
	case other.Count == 0:
		scale = e.Scale
	}
	a, b := e.Coarser(scale, threshold), other.Coarser(scale, threshold)
	a.Pos, a.Neg = a.Pos.add(b.Pos), a.Neg.add(b.Neg)
	a.Zero += b.Zero
	a.Count += b.Count
	a.Sum = both(e.Sum, other.Sum, func(x, y float64) float64 { return x + y })
	a.Min = both(e.Min, other.Min, math.Min)
	a.Max = both(e.Max, other.Max, math.Max)
	return a
}

func (b Buckets) add(other Buckets) Buckets {
	m := b.ByIndex(0, 0)
	for i, n := range other.ByIndex(0, 0) {
		m[i] += n
	}
	return FromIndex(m)
}
