package core

import (
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
)

func (p *fixed) metric(m pmetric.Metric, kind string) {
	m.SetName(kind)
	m.SetUnit("By")
	m.SetDescription("what it counts")
	temporality := pmetric.AggregationTemporalityCumulative
	if strings.HasPrefix(kind, "delta") {
		temporality = pmetric.AggregationTemporalityDelta
	}
	n := p.now.Mono / 1e9
	switch kind {
	case "int", "float", "delta", "updown", "delta.updown":
		sum := m.SetEmptySum()
		sum.SetIsMonotonic(!strings.HasSuffix(kind, "updown"))
		sum.SetAggregationTemporality(temporality)
		p.number(sum.DataPoints().AppendEmpty(), kind, n)
	case "hist", "delta.hist":
		m.SetEmptyHistogram().SetAggregationTemporality(temporality)
		dp := m.Histogram().DataPoints().AppendEmpty()
		p.stamp(dp)
		bounds := []float64{1, 3}
		if p.i == 1 {
			bounds = []float64{1, 2, 3}
		}
		dp.ExplicitBounds().FromRaw(bounds)
		counts := make([]uint64, len(bounds)+1)
		counts[0], counts[len(bounds)] = uint64(n), 2
		dp.BucketCounts().FromRaw(counts)
		dp.SetCount(uint64(n) + 2)
		dp.SetSum(0.1 * float64(n))
		dp.SetMin(0.1)
		dp.SetMax(7)
	case "exp", "delta.exp":
		m.SetEmptyExponentialHistogram().SetAggregationTemporality(temporality)
		dp := m.ExponentialHistogram().DataPoints().AppendEmpty()
		p.stamp(dp)
		dp.SetScale(int32(p.i))
		dp.SetZeroCount(1)
		dp.SetZeroThreshold(0.01 * float64(p.i))
		dp.Positive().SetOffset(3)
		dp.Positive().BucketCounts().FromRaw([]uint64{uint64(n), 1})
		dp.Negative().SetOffset(-2)
		dp.Negative().BucketCounts().FromRaw([]uint64{1})
		dp.SetCount(uint64(n) + 3)
		dp.SetSum(float64(n))
	case "summary":
		dp := m.SetEmptySummary().DataPoints().AppendEmpty()
		p.stamp(dp)
		dp.SetCount(uint64(n))
		dp.SetSum(float64(n) / 3)
	default:
		p.number(m.SetEmptyGauge().DataPoints().AppendEmpty(), kind, n)
	}
}

func (p *fixed) number(dp pmetric.NumberDataPoint, kind string, n int64) {
	p.stamp(dp)
	if kind == "float" {
		dp.SetDoubleValue(float64(n) / 3)
	} else {
		dp.SetIntValue(n)
	}
	e := dp.Exemplars().AppendEmpty()
	e.SetTimestamp(pcommon.Timestamp(p.now.Wall))
	e.SetIntValue(n)
}
