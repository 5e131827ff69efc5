package oracle

import (
	"maps"
	"math"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario/series"
)

const (
	maxBuckets  = 160
	lowestScale = -4
)

// exponential adds up the runs at the lowest scale that ever arrived, or the
// lower one at which both sides fit, and at the highest zero threshold, raised
// to the edge of the bucket it lies in.
func exponential(runs []run) *series.Exp {
	scale, threshold := int32(math.MaxInt32), 0.0
	for _, r := range runs {
		for _, p := range r.points {
			scale = min(scale, p.Exp.Scale)
			threshold = math.Max(threshold, p.Exp.Threshold)
		}
	}
	for ; ; scale-- {
		out := sumAt(runs, scale, edgeAbove(scale, threshold))
		fits := len(out.Pos.Counts) <= maxBuckets && len(out.Neg.Counts) <= maxBuckets
		if fits || scale == lowestScale {
			out.Sum, out.Min, out.Max = stats(runs, func(p *series.Point) (sum, low, high *float64) {
				return p.Exp.Sum, p.Exp.Min, p.Exp.Max
			})
			return out
		}
	}
}

func sumAt(runs []run, scale int32, threshold float64) *series.Exp {
	out := &series.Exp{Scale: scale, Threshold: threshold}
	pos, neg := map[int32]uint64{}, map[int32]uint64{}
	add := func(e *series.Exp, sign uint64) {
		at := e.Coarser(scale, threshold)
		out.Count += sign * at.Count
		out.Zero += sign * at.Zero
		for i, n := range at.Pos.ByIndex(0, 0) {
			pos[i] += sign * n
		}
		for i, n := range at.Neg.ByIndex(0, 0) {
			neg[i] += sign * n
		}
	}
	for _, r := range runs {
		add(r.last().Exp, 1)
		if r.baseline != nil {
			add(r.baseline.Exp, math.MaxUint64) // times minus one
		}
	}
	empty := func(_ int32, n uint64) bool { return n == 0 }
	maps.DeleteFunc(pos, empty)
	maps.DeleteFunc(neg, empty)
	out.Pos, out.Neg = series.FromIndex(pos), series.FromIndex(neg)
	return out
}

// edgeAbove is the upper edge of the bucket that holds the threshold.
func edgeAbove(scale int32, threshold float64) float64 {
	if threshold == 0 {
		return 0
	}
	index := int32(math.Ceil(math.Log2(threshold)*math.Exp2(float64(scale)))) - 1
	for _, i := range []int32{index - 1, index} {
		if edge := series.UpperEdge(scale, i); edge > threshold || series.Close(edge, threshold) {
			return edge
		}
	}
	return series.UpperEdge(scale, index+1)
}
