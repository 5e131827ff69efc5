package core

import (
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"pgregory.net/rapid"
)

func (p *pushing) metric(m pmetric.Metric) {
	m.SetName(p.kind)
	delta := strings.HasPrefix(p.kind, "delta")
	temporality := pmetric.AggregationTemporalityCumulative
	if delta {
		temporality = pmetric.AggregationTemporalityDelta
	}
	switch p.kind {
	case "int", "float", "delta", "updown", "delta.updown":
		sum := m.SetEmptySum()
		sum.SetIsMonotonic(!strings.HasSuffix(p.kind, "updown"))
		sum.SetAggregationTemporality(temporality)
		p.number(sum.DataPoints().AppendEmpty(), delta)
	case "hist", "delta.hist":
		h := m.SetEmptyHistogram()
		h.SetAggregationTemporality(temporality)
		p.histogram(h.DataPoints().AppendEmpty(), delta)
	case "exp", "delta.exp":
		h := m.SetEmptyExponentialHistogram()
		h.SetAggregationTemporality(temporality)
		p.exponential(h.DataPoints().AppendEmpty(), delta)
	case "summary":
		dp := m.SetEmptySummary().DataPoints().AppendEmpty()
		p.stamp(dp, false)
		n := p.grow()
		dp.SetCount(uint64(n))
		dp.SetSum(float64(n) / 4)
	default:
		p.number(m.SetEmptyGauge().DataPoints().AppendEmpty(), false)
	}
}

func (p *pushing) number(dp pmetric.NumberDataPoint, delta bool) {
	p.stamp(dp, delta)
	if rapid.IntRange(0, 19).Draw(p.t, "no value") == 0 {
		dp.SetFlags(pmetric.DefaultDataPointFlags.WithNoRecordedValue(true))
		return
	}
	n := p.grow()
	if p.kind == "float" {
		dp.SetDoubleValue(float64(n) / 3)
	} else {
		dp.SetIntValue(n)
	}
	p.exemplar(dp.Exemplars())
}

func (p *pushing) exemplar(es pmetric.ExemplarSlice) {
	if rapid.IntRange(0, 5).Draw(p.t, "exemplar") > 0 {
		return
	}
	e := es.AppendEmpty()
	e.SetTimestamp(pcommon.Timestamp(p.h.t))
	e.SetDoubleValue(1)
}

// histogram spreads what was counted over the buckets: the first half of it in
// the first one, the rest in the last. So every bucket only grows.
func (p *pushing) histogram(dp pmetric.HistogramDataPoint, delta bool) {
	p.stamp(dp, delta)
	if rapid.IntRange(0, 9).Draw(p.t, "other bounds") == 0 {
		p.h.bounds = rapid.SampledFrom([][]float64{{1, 3}, {1, 3, 7, 15}, {2}, {}}).Draw(p.t, "bounds")
	}
	n := uint64(p.grow())
	counts := make([]uint64, len(p.h.bounds)+1)
	counts[0] += n / 2
	counts[len(counts)-1] += n - n/2
	dp.SetCount(n)
	dp.ExplicitBounds().FromRaw(p.h.bounds)
	dp.BucketCounts().FromRaw(counts)
	if rapid.IntRange(0, 9).Draw(p.t, "no sum") > 0 {
		dp.SetSum(float64(n) * 0.7)
		dp.SetMin(0.1)
		dp.SetMax(float64(n))
	}
	p.exemplar(dp.Exemplars())
}

func (p *pushing) exponential(dp pmetric.ExponentialHistogramDataPoint, delta bool) {
	p.stamp(dp, delta)
	n := uint64(p.grow())
	dp.SetCount(n)
	dp.SetScale(p.h.scale)
	dp.SetZeroCount(n / 3)
	dp.SetSum(float64(n))
	if p.k == "y" {
		dp.SetZeroThreshold(0.1)
	}
	dp.Positive().SetOffset(2)
	dp.Positive().BucketCounts().FromRaw([]uint64{n / 3, 0, n - n/3 - n/3})
}
