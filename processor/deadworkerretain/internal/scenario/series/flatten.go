package series

import (
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
)

// Flatten lists every data point of a payload, in the payload's order.
func Flatten(md pmetric.Metrics) []Point {
	var out []Point
	for _, rm := range md.ResourceMetrics().All() {
		for _, sm := range rm.ScopeMetrics().All() {
			for _, m := range sm.Metrics().All() {
				first := len(out)
				out = append(out, points(m)...)
				finish(out[first:], rm.Resource(), sm.Scope(), m)
			}
		}
	}
	return out
}

func finish(points []Point, res pcommon.Resource, scope pcommon.InstrumentationScope, m pmetric.Metric) {
	kind, temporality := kindOf(m)
	for i := range points {
		p := &points[i]
		p.ID = ID{
			Resource: FormatAttrs(res.Attributes()),
			Scope:    formatScope(scope),
			Metric:   m.Name(),
			Unit:     m.Unit(),
			Kind:     kind,
			Attrs:    FormatAttrs(p.Attrs),
		}
		p.Description = m.Description()
		p.Resource = res.Attributes()
		p.Temporality = temporality
		p.Alone = true
		for _, other := range points {
			p.Alone = p.Alone && other.NoRecorded == p.NoRecorded
		}
	}
}

func formatScope(s pcommon.InstrumentationScope) string {
	text := s.Name()
	if s.Version() != "" {
		text += "@" + s.Version()
	}
	return text + FormatAttrs(s.Attributes())
}

func kindOf(m pmetric.Metric) (Kind, pmetric.AggregationTemporality) {
	switch m.Type() {
	case pmetric.MetricTypeSum:
		if m.Sum().IsMonotonic() {
			return Counter, m.Sum().AggregationTemporality()
		}
		return UpDown, m.Sum().AggregationTemporality()
	case pmetric.MetricTypeGauge:
		return Gauge, pmetric.AggregationTemporalityUnspecified
	case pmetric.MetricTypeHistogram:
		return Histogram, m.Histogram().AggregationTemporality()
	case pmetric.MetricTypeExponentialHistogram:
		return Exponential, m.ExponentialHistogram().AggregationTemporality()
	case pmetric.MetricTypeSummary:
		return Summary, pmetric.AggregationTemporalityUnspecified
	default:
		return Empty, pmetric.AggregationTemporalityUnspecified
	}
}

func points(m pmetric.Metric) []Point {
	var out []Point
	switch m.Type() {
	case pmetric.MetricTypeSum:
		out = numbers(m.Sum().DataPoints())
	case pmetric.MetricTypeGauge:
		out = numbers(m.Gauge().DataPoints())
	case pmetric.MetricTypeHistogram:
		for _, dp := range m.Histogram().DataPoints().All() {
			out = append(out, hist(dp))
		}
	case pmetric.MetricTypeExponentialHistogram:
		for _, dp := range m.ExponentialHistogram().DataPoints().All() {
			out = append(out, exp(dp))
		}
	case pmetric.MetricTypeSummary:
		for _, dp := range m.Summary().DataPoints().All() {
			out = append(out, summary(dp))
		}
	}
	return out
}
