package oracle

import (
	"math"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario/series"
)

// histogram adds up what every run has at or below each bound that the layouts
// of the living runs share. Without a living run the bounds that were shown
// last stay, which the oracle does not remember: bounds and counts are nil. So
// they are while it is undecided whether a run still lives.
func histogram(runs []run, living map[runName]state) *series.Hist {
	var bounds []float64
	any, doubt := false, false
	for _, r := range runs {
		layout := r.last().Hist.Bounds
		switch {
		case !r.current || living[r.name] == dead:
			continue
		case any:
			layout = series.CommonBounds(bounds, layout)
		}
		bounds, any, doubt = layout, true, doubt || living[r.name] == undecided
	}
	out := &series.Hist{}
	for _, bound := range append(append([]float64{}, bounds...), math.Inf(1)) {
		before := out.Count
		out.Count = 0
		for _, r := range runs {
			out.Count += r.le(bound)
		}
		out.Counts = append(out.Counts, out.Count-before)
	}
	if out.Bounds = bounds; !any || doubt {
		out.Counts = nil
	}
	out.Sum, out.Min, out.Max = stats(runs, func(p *series.Point) (sum, low, high *float64) {
		return p.Hist.Sum, p.Hist.Min, p.Hist.Max
	})
	return out
}

// le is what a run has at or below a bound. When its layout changes, the
// increment of that point counts at the bounds that both layouts have.
func (r *run) le(bound float64) uint64 {
	before := &series.Hist{Bounds: r.points[0].Hist.Bounds, Counts: make([]uint64, len(r.points[0].Hist.Counts))}
	if r.baseline != nil {
		before = r.baseline.Hist
	}
	var n uint64
	for _, p := range r.points {
		shared := series.CommonBounds(before.Bounds, p.Hist.Bounds)
		n += p.Hist.Rebucket(shared).LE(bound) - before.Rebucket(shared).LE(bound)
		before = p.Hist
	}
	return n
}

// stats adds up sums and finds extremes; each is absent once a point lacks it,
// and the extremes are once there is a baseline.
func stats(runs []run, of func(*series.Point) (sum, low, high *float64)) (sum, low, high *float64) {
	total, lowest, highest := 0.0, math.Inf(1), math.Inf(-1)
	noSum, noExtremes := false, false
	for _, r := range runs {
		for i := range r.points {
			if i > 0 && size(&r.points[i]) == size(&r.points[i-1]) {
				continue // it adds nothing
			}
			s, l, h := of(&r.points[i])
			noSum = noSum || s == nil
			if noExtremes = noExtremes || l == nil || h == nil; noExtremes {
				continue
			}
			lowest, highest = math.Min(lowest, *l), math.Max(highest, *h)
		}
		noExtremes = noExtremes || r.baseline != nil
		if noSum {
			continue
		}
		s, _, _ := of(r.last())
		total += *s
		if r.baseline != nil {
			s, _, _ := of(r.baseline)
			total -= *s
		}
	}
	if !noSum {
		sum = &total
	}
	if !noExtremes {
		low, high = &lowest, &highest
	}
	return sum, low, high
}
