package core

import (
	"errors"
	"fmt"
	"math"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
)

var (
	errNoValue     = errors.New("the point has no value")
	errTemporality = errors.New("aggregation temporality is unspecified or unknown, expected delta or cumulative")
)

func named(m pmetric.Metric, err error) error {
	return fmt.Errorf("metric %q: %w", m.Name(), err)
}

// refuseAll counts every point of a metric whose temporality is missing.
func (b *Batch) refuseAll(m pmetric.Metric) {
	n := 0
	switch m.Type() {
	case pmetric.MetricTypeSum:
		n = m.Sum().DataPoints().Len()
	case pmetric.MetricTypeHistogram:
		n = m.Histogram().DataPoints().Len()
	case pmetric.MetricTypeExponentialHistogram:
		n = m.ExponentialHistogram().DataPoints().Len()
	}
	for range n {
		b.invalid.add(named(m, errTemporality))
	}
}

func checkFinite(what string, v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("%s is %v, expected a finite number", what, v)
	}
	return nil
}

// checkNumber reads a number point. A point without recorded value has none to check.
func checkNumber(dp pmetric.NumberDataPoint, monotonic bool) (number, error) {
	if dp.Flags().NoRecordedValue() {
		return number{}, nil
	}
	var n number
	switch dp.ValueType() {
	case pmetric.NumberDataPointValueTypeInt:
		n = ofInt(dp.IntValue())
	case pmetric.NumberDataPointValueTypeDouble:
		v := dp.DoubleValue()
		if err := checkFinite("value", v); err != nil {
			return n, err
		}
		// Minus zero would sort above zero by its bits and mean the same.
		n = ofFloat(v + 0)
	default:
		return n, errNoValue
	}
	if monotonic && n.compare(ofInt(0)) < 0 {
		return n, fmt.Errorf("value of a monotonic sum is %v, expected 0 or more", n.asFloat())
	}
	return n, nil
}

// checkHistogram checks what can be seen without reading the buckets. The rest
// is checked when they are read.
func checkHistogram(dp pmetric.HistogramDataPoint) error {
	if dp.Flags().NoRecordedValue() {
		return nil
	}
	bounds, counts := dp.ExplicitBounds().Len(), dp.BucketCounts().Len()
	if (counts != 0 || bounds != 0) && counts != bounds+1 {
		return fmt.Errorf("%d bucket counts for %d bounds, expected one more count than bounds", counts, bounds)
	}
	return checkSumMinMax(dp.HasSum(), dp.Sum(), dp.HasMin(), dp.Min(), dp.HasMax(), dp.Max())
}

func checkBounds(bounds pcommon.Float64Slice) error {
	for i := range bounds.Len() {
		b := bounds.At(i)
		if math.IsNaN(b) || math.IsInf(b, 0) || (i > 0 && b <= bounds.At(i-1)) {
			return fmt.Errorf("bound %d is %v, expected finite, strictly ascending bounds", i, b)
		}
	}
	return nil
}

func checkSumMinMax(hasSum bool, sum float64, hasMin bool, least float64, hasMax bool, most float64) error {
	if hasSum {
		if err := checkFinite("sum", sum); err != nil {
			return err
		}
	}
	if hasMin {
		if err := checkFinite("min", least); err != nil {
			return err
		}
	}
	if hasMax {
		return checkFinite("max", most)
	}
	return nil
}

func checkSummary(dp pmetric.SummaryDataPoint) error {
	if dp.Flags().NoRecordedValue() {
		return nil
	}
	return checkFinite("sum", dp.Sum())
}
