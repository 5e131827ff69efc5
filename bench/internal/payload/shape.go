package payload

import (
	"fmt"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
)

// Shape is what one worker exports at each of its ticks: scopes, metrics and
// attributes without values.
type Shape struct {
	// Name is how the shape is called in the names of benchmarks.
	Name string
	// Points is how many data points one worker exports.
	Points int
	// Labels lists every attribute a data point of the shape has.
	Labels []string

	lay func(pmetric.ResourceMetrics)
}

func newShape(name string, lay func(pmetric.ResourceMetrics)) Shape {
	md := pmetric.NewMetrics()
	lay(md.ResourceMetrics().AppendEmpty())
	return Shape{Name: name, Points: md.DataPointCount(), Labels: labels(md), lay: lay}
}

// Numbers are monotonic integer sums with three attributes, a hundred to a metric.
func Numbers(points int) Shape {
	return newShape("numbers", func(rm pmetric.ResourceMetrics) {
		var dps pmetric.NumberDataPointSlice
		sm := scope(rm, "bench/numbers")
		for i := range points {
			if i%100 == 0 {
				m := sm.Metrics().AppendEmpty()
				m.SetName(fmt.Sprintf("shop.requests.%02d", i/100))
				m.SetUnit("{request}")
				dps = counter(m).DataPoints()
			}
			route(dps.AppendEmpty().Attributes(), i)
		}
	})
}

// Histograms have the given number of buckets and three attributes.
func Histograms(points, buckets int) Shape {
	bounds := make([]float64, buckets-1)
	for i := range bounds {
		bounds[i] = float64(i+1) / 2
	}
	return newShape("histograms", func(rm pmetric.ResourceMetrics) {
		m := scope(rm, "bench/histograms").Metrics().AppendEmpty()
		m.SetName("shop.request.duration")
		m.SetUnit("s")
		h := m.SetEmptyHistogram()
		h.SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
		for i := range points {
			dp := h.DataPoints().AppendEmpty()
			dp.ExplicitBounds().FromRaw(bounds)
			dp.BucketCounts().FromRaw(make([]uint64, buckets))
			route(dp.Attributes(), i)
		}
	})
}

// Exponential histograms have 80 positive buckets in use and three attributes.
func Exponential(points int) Shape {
	return newShape("exponential", func(rm pmetric.ResourceMetrics) {
		m := scope(rm, "bench/exponential").Metrics().AppendEmpty()
		m.SetName("shop.request.size")
		m.SetUnit("By")
		h := m.SetEmptyExponentialHistogram()
		h.SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
		for i := range points {
			dp := h.DataPoints().AppendEmpty()
			dp.SetScale(4)
			dp.Positive().SetOffset(-20)
			dp.Positive().BucketCounts().FromRaw(make([]uint64, 80))
			route(dp.Attributes(), i)
		}
	})
}

func scope(rm pmetric.ResourceMetrics, name string) pmetric.ScopeMetrics {
	sm := rm.ScopeMetrics().AppendEmpty()
	sm.Scope().SetName(name)
	sm.Scope().SetVersion("1.4.0")
	return sm
}

func counter(m pmetric.Metric) pmetric.Sum {
	s := m.SetEmptySum()
	s.SetIsMonotonic(true)
	s.SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
	return s
}

var methods = [...]string{"GET", "POST", "PUT", "PATCH", "DELETE"}

// route gives the i-th point three attributes of its own.
func route(attrs pcommon.Map, i int) {
	attrs.PutStr("http.request.method", methods[i%len(methods)])
	attrs.PutStr("http.route", fmt.Sprintf("/api/v1/things/%d/{id}", i/len(methods)))
	attrs.PutInt("http.response.status_code", 200)
}
