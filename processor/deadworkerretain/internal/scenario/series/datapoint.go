package series

import (
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
)

func numbers(dps pmetric.NumberDataPointSlice) []Point {
	var out []Point
	for _, dp := range dps.All() {
		p := common(dp)
		p.Number = Number{Type: dp.ValueType()}
		switch dp.ValueType() {
		case pmetric.NumberDataPointValueTypeInt:
			p.Number.Int = dp.IntValue()
		case pmetric.NumberDataPointValueTypeDouble:
			p.Number.Float = dp.DoubleValue()
		}
		p.Exemplars = dp.Exemplars()
		out = append(out, p)
	}
	return out
}

func hist(dp pmetric.HistogramDataPoint) Point {
	p := common(dp)
	p.Hist = &Hist{
		Bounds: dp.ExplicitBounds().AsRaw(),
		Counts: dp.BucketCounts().AsRaw(),
		Count:  dp.Count(),
		Sum:    optional(dp.HasSum(), dp.Sum()),
		Min:    optional(dp.HasMin(), dp.Min()),
		Max:    optional(dp.HasMax(), dp.Max()),
	}
	if dp.BucketCounts().Len() == 0 && dp.ExplicitBounds().Len() == 0 {
		p.Hist.Counts = []uint64{dp.Count()} // no buckets are one
	}
	p.Exemplars = dp.Exemplars()
	return p
}

func exp(dp pmetric.ExponentialHistogramDataPoint) Point {
	p := common(dp)
	p.Exp = &Exp{
		Scale:     dp.Scale(),
		Zero:      dp.ZeroCount(),
		Threshold: dp.ZeroThreshold(),
		Pos:       Buckets{Offset: dp.Positive().Offset(), Counts: dp.Positive().BucketCounts().AsRaw()},
		Neg:       Buckets{Offset: dp.Negative().Offset(), Counts: dp.Negative().BucketCounts().AsRaw()},
		Count:     dp.Count(),
		Sum:       optional(dp.HasSum(), dp.Sum()),
		Min:       optional(dp.HasMin(), dp.Min()),
		Max:       optional(dp.HasMax(), dp.Max()),
	}
	p.Exemplars = dp.Exemplars()
	return p
}

func summary(dp pmetric.SummaryDataPoint) Point {
	p := common(dp)
	p.Summary = &Quantiles{Count: dp.Count(), Sum: dp.Sum(), Quantiles: map[float64]float64{}}
	for _, q := range dp.QuantileValues().All() {
		p.Summary.Quantiles[q.Quantile()] = q.Value()
	}
	return p
}

type dataPoint interface {
	Attributes() pcommon.Map
	StartTimestamp() pcommon.Timestamp
	Timestamp() pcommon.Timestamp
	Flags() pmetric.DataPointFlags
}

func common(dp dataPoint) Point {
	return Point{
		Attrs:      dp.Attributes(),
		Start:      dp.StartTimestamp(),
		Time:       dp.Timestamp(),
		NoRecorded: dp.Flags().NoRecordedValue(),
	}
}

func optional(has bool, v float64) *float64 {
	if !has {
		return nil
	}
	return &v
}
