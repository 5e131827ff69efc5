package payload

import (
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
)

// set gives every point the value it has at its worker's n-th push. What
// accumulates is n times a value of the first push.
func set(rm pmetric.ResourceMetrics, n uint64, start, now pcommon.Timestamp) {
	i := 0
	for _, sm := range rm.ScopeMetrics().All() {
		for _, m := range sm.Metrics().All() {
			switch m.Type() {
			case pmetric.MetricTypeSum:
				i = setNumbers(m.Sum().DataPoints(), m.Sum().IsMonotonic(), i, n, start, now)
			case pmetric.MetricTypeGauge:
				i = setNumbers(m.Gauge().DataPoints(), false, i, n, 0, now)
			case pmetric.MetricTypeHistogram:
				for _, dp := range m.Histogram().DataPoints().All() {
					setHistogram(dp, i, n)
					dp.SetStartTimestamp(start)
					dp.SetTimestamp(now)
					i++
				}
			case pmetric.MetricTypeExponentialHistogram:
				for _, dp := range m.ExponentialHistogram().DataPoints().All() {
					setExponential(dp, i, n)
					dp.SetStartTimestamp(start)
					dp.SetTimestamp(now)
					i++
				}
			}
		}
	}
}

func setNumbers(dps pmetric.NumberDataPointSlice, grows bool, i int, n uint64, start, now pcommon.Timestamp) int {
	for _, dp := range dps.All() {
		dp.SetStartTimestamp(start)
		dp.SetTimestamp(now)
		step := uint64(1 + i%7)
		switch {
		case grows:
			dp.SetIntValue(int64(n * step))
		default:
			dp.SetDoubleValue(float64((n+step)%16) / 2)
		}
		i++
	}
	return i
}

func setHistogram(dp pmetric.HistogramDataPoint, i int, n uint64) {
	counts := dp.BucketCounts()
	var count uint64
	for j := range counts.Len() {
		c := n * uint64((i+j)%4)
		counts.SetAt(j, c)
		count += c
	}
	dp.SetCount(count)
	dp.SetSum(float64(n) * (0.5 + float64(i%7)))
	dp.SetMin(0.5)
	dp.SetMax(9)
}

func setExponential(dp pmetric.ExponentialHistogramDataPoint, i int, n uint64) {
	counts := dp.Positive().BucketCounts()
	count := n
	dp.SetZeroCount(n)
	for j := range counts.Len() {
		c := n * uint64((i+j)%3)
		counts.SetAt(j, c)
		count += c
	}
	dp.SetCount(count)
	dp.SetSum(float64(n) * (0.5 + float64(i%7)))
	dp.SetMin(0)
	dp.SetMax(9)
}
