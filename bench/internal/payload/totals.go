package payload

import (
	"fmt"
	"slices"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
)

// Totals are the values of what only grows, by series. A histogram is a series
// for each of its parts, with cumulative buckets, as Prometheus spells them.
type Totals map[string]float64

// Add takes what the metrics say; a later value of a series replaces an earlier one.
func (t Totals) Add(md pmetric.Metrics) {
	Metrics(md, func(rm pmetric.ResourceMetrics, _ pmetric.ScopeMetrics, m pmetric.Metric) {
		service, _ := rm.Resource().Attributes().Get("service.name")
		switch m.Type() {
		case pmetric.MetricTypeSum:
			if !m.Sum().IsMonotonic() {
				return
			}
			for _, dp := range m.Sum().DataPoints().All() {
				t[Key(m.Name(), pairs(service, dp.Attributes()))] = number(dp)
			}
		case pmetric.MetricTypeHistogram:
			for _, dp := range m.Histogram().DataPoints().All() {
				t.addHistogram(m.Name(), pairs(service, dp.Attributes()), dp)
			}
		case pmetric.MetricTypeExponentialHistogram:
			for _, dp := range m.ExponentialHistogram().DataPoints().All() {
				t.addExponential(m.Name(), pairs(service, dp.Attributes()), dp)
			}
		}
	})
}

func (t Totals) addHistogram(name string, attrs []string, dp pmetric.HistogramDataPoint) {
	t[Key(name+"_count", attrs)] = float64(dp.Count())
	t[Key(name+"_sum", attrs)] = dp.Sum()
	var sum uint64
	for j, c := range dp.BucketCounts().All() {
		sum += c
		t[Key(name+"_bucket", append(slices.Clone(attrs), "le="+UpperBound(dp, j)))] = float64(sum)
	}
}

func (t Totals) addExponential(name string, attrs []string, dp pmetric.ExponentialHistogramDataPoint) {
	t[Key(name+"_count", attrs)] = float64(dp.Count())
	t[Key(name+"_sum", attrs)] = dp.Sum()
	t[Key(name+"_zero", attrs)] = float64(dp.ZeroCount())
	for j, c := range dp.Positive().BucketCounts().All() {
		if c > 0 {
			at := fmt.Sprintf("scale=%d,bucket=%d", dp.Scale(), int(dp.Positive().Offset())+j)
			t[Key(name+"_bucket", append(slices.Clone(attrs), at))] = float64(c)
		}
	}
}

// UpperBound is the upper bound of the histogram's j-th bucket as text.
func UpperBound(dp pmetric.HistogramDataPoint, j int) string {
	if j >= dp.ExplicitBounds().Len() {
		return "+Inf"
	}
	return fmt.Sprint(dp.ExplicitBounds().At(j))
}

// Key names a series by its metric and its "name=value" pairs, in whatever order.
func Key(name string, pairs []string) string {
	slices.Sort(pairs)
	return name + "{" + strings.Join(pairs, ",") + "}"
}

func pairs(service pcommon.Value, attrs pcommon.Map) []string {
	out := append(make([]string, 0, attrs.Len()+2), "job="+service.AsString())
	for k, v := range attrs.All() {
		out = append(out, k+"="+v.AsString())
	}
	return out
}

func number(dp pmetric.NumberDataPoint) float64 {
	if dp.ValueType() == pmetric.NumberDataPointValueTypeInt {
		return float64(dp.IntValue())
	}
	return dp.DoubleValue()
}

// Diff says how many of the wanted values are missing or wrong, with an
// example; "" means that all are right.
func (t Totals) Diff(want Totals) string {
	wrong, example := 0, ""
	for key, w := range want {
		got, ok := t[key]
		if ok && got == w {
			continue
		}
		wrong++
		text := fmt.Sprintf("%s is %v, right is %v", key, got, w)
		if !ok {
			text = fmt.Sprintf("%s is missing, right is %v", key, w)
		}
		if example == "" || text < example {
			example = text
		}
	}
	if wrong == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d values wrong, such as %s", wrong, len(want), example)
}
