package deadworkerretain_test

import (
	"math"
	"slices"

	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario/series"
)

// judge counts the points of a payload that are certainly valid or invalid by
// the data model. Signals count as valid, so that nothing is said about them.
func judge(md pmetric.Metrics) (valid, invalid int) {
	for _, p := range series.Flatten(md) {
		switch {
		case p.ID.Metric == lifecycle.MetricName || p.ID.Kind == series.Gauge || p.NoRecorded:
			valid++
		case broken(&p):
			invalid++
		default:
			valid++
		}
	}
	return valid, invalid
}

func broken(p *series.Point) bool {
	unspecified := p.Temporality != pmetric.AggregationTemporalityCumulative && p.Temporality != pmetric.AggregationTemporalityDelta
	switch p.ID.Kind {
	case series.Counter:
		return unspecified || !isNumber(p.Number) || p.Number.Float64() < 0
	case series.UpDown:
		return unspecified || !isNumber(p.Number)
	case series.Histogram:
		return unspecified || brokenHist(p.Hist)
	case series.Exponential:
		return unspecified || brokenExp(p.Exp)
	case series.Summary:
		return notFinite(&p.Summary.Sum)
	}
	return false
}

func isNumber(n series.Number) bool {
	return n.Type != pmetric.NumberDataPointValueTypeEmpty && n.Finite()
}

func brokenHist(h *series.Hist) bool {
	noBuckets := len(h.Bounds) == 0 && len(h.Counts) == 0
	rising := slices.IsSortedFunc(h.Bounds, func(a, b float64) int {
		if a < b {
			return -1
		}
		return 1
	})
	return notFinite(h.Sum, h.Min, h.Max) || !rising || slices.ContainsFunc(h.Bounds, math.IsNaN) ||
		!noBuckets && (len(h.Counts) != len(h.Bounds)+1 || h.LE(math.Inf(1)) != h.Count)
}

func brokenExp(e *series.Exp) bool {
	in := e.Zero
	for _, n := range slices.Concat(e.Pos.Counts, e.Neg.Counts) {
		in += n
	}
	return notFinite(&e.Threshold, e.Sum, e.Min, e.Max) || e.Threshold < 0 || in != e.Count || e.Scale < -4 || e.Scale > 20
}

func notFinite(values ...*float64) bool {
	return slices.ContainsFunc(values, func(v *float64) bool { return v != nil && (math.IsNaN(*v) || math.IsInf(*v, 0)) })
}
