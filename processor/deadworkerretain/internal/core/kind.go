package core

import (
	"strings"

	"go.opentelemetry.io/collector/pdata/pmetric"
)

// kind is what tells how a series is put together from its streams. It
// identifies a series; int or double and temporality do not.
type kind uint8

const (
	kindCounter kind = iota + 1
	kindHistogram
	kindExponential
	kindSummary
	// kindUpDown and kindGauge are instantaneous: they leave with their life.
	kindUpDown
	kindGauge
)

func (k kind) instantaneous() bool { return k >= kindUpDown }

// kindOf is 0 for a metric without data.
func kindOf(m pmetric.Metric, rule *Rule) kind {
	switch m.Type() {
	case pmetric.MetricTypeSum:
		if m.Sum().IsMonotonic() || (rule != nil && rule.Monotonic) {
			return kindCounter
		}
		return kindUpDown
	case pmetric.MetricTypeGauge:
		return kindGauge
	case pmetric.MetricTypeHistogram:
		return kindHistogram
	case pmetric.MetricTypeExponentialHistogram:
		return kindExponential
	case pmetric.MetricTypeSummary:
		return kindSummary
	default:
		return 0
	}
}

// aggregationFor is how an instantaneous metric is put together: gauges need a
// rule to be aggregated, non-monotonic sums are summed without one.
func aggregationFor(k kind, rule *Rule) Aggregation {
	if rule != nil && !rule.Monotonic && !rule.Pass {
		return rule.Aggregation
	}
	if k == kindUpDown {
		return Sum
	}
	return PerWorker
}

// temporalityOf is cumulative for types that have none.
func temporalityOf(m pmetric.Metric) pmetric.AggregationTemporality {
	switch m.Type() {
	case pmetric.MetricTypeSum:
		return m.Sum().AggregationTemporality()
	case pmetric.MetricTypeHistogram:
		return m.Histogram().AggregationTemporality()
	case pmetric.MetricTypeExponentialHistogram:
		return m.ExponentialHistogram().AggregationTemporality()
	default:
		return pmetric.AggregationTemporalityCumulative
	}
}

// identifyingUnit is the unit as far as it tells series apart: annotations and
// the dimensionless 1 mean the same as none.
// https://ucum.org/ucum#section-Character-Set-and-Lexical-Rules (curly braces)
func identifyingUnit(unit string) string {
	if unit == "1" || (strings.HasPrefix(unit, "{") && strings.HasSuffix(unit, "}")) {
		return ""
	}
	return unit
}
