package series

import (
	"math"
	"slices"
)

// LE is how many observations the buckets at or below a bound hold: those
// whose own upper bound is not above it. The bound may be +Inf.
func (h *Hist) LE(bound float64) uint64 {
	var n uint64
	for i, c := range h.Counts {
		if h.upper(i) <= bound {
			n += c
		}
	}
	return n
}

func (h *Hist) upper(bucket int) float64 {
	if bucket < len(h.Bounds) {
		return h.Bounds[bucket]
	}
	return math.Inf(1)
}

// Rebucket gives the histogram other bounds: every bucket goes where its own
// upper bound belongs.
func (h *Hist) Rebucket(bounds []float64) *Hist {
	out := *h
	out.Bounds, out.Counts = slices.Clone(bounds), make([]uint64, len(bounds)+1)
	var below uint64
	for i := range out.Counts {
		le := h.LE(out.upper(i))
		out.Counts[i], below = le-below, le
	}
	return &out
}

// CommonBounds are the bounds that both lists hold.
func CommonBounds(a, b []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(a), func(x float64) bool { return !slices.Contains(b, x) })
}

// Add is the sum of two histograms at their common bounds.
func (h *Hist) Add(other *Hist) *Hist {
	common := CommonBounds(h.Bounds, other.Bounds)
	a, b := h.Rebucket(common), other.Rebucket(common)
	for i, n := range b.Counts {
		a.Counts[i] += n
	}
	a.Count += other.Count
	a.Sum = both(h.Sum, other.Sum, func(x, y float64) float64 { return x + y })
	a.Min = both(h.Min, other.Min, math.Min)
	a.Max = both(h.Max, other.Max, math.Max)
	return a
}

// both is f of two values; absent once one of them is.
func both(a, b *float64, f func(x, y float64) float64) *float64 {
	if a == nil || b == nil {
		return nil
	}
	v := f(*a, *b)
	return &v
}
