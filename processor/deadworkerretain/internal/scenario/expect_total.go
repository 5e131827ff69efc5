package scenario

import (
	"math"

	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario/series"
)

// atCommonResolution brings a histogram that was added up from parts, and what
// is expected of it, to the bounds that both have, or to the lower scale and
// the higher zero threshold. Parts may be finer than the total; a scale that is
// lower than expected stays an error.
func atCommonResolution(got series.Point, want []Field) (series.Point, []Field) {
	switch {
	case got.Hist != nil && given(want, "bounds"):
		dp := pmetric.NewHistogramDataPoint()
		if (&Point{Fields: only(want, "bounds", "counts")}).histogram(dp, got.Time.AsTime()) != nil {
			return got, want
		}
		expected := series.Hist{Bounds: dp.ExplicitBounds().AsRaw(), Counts: dp.BucketCounts().AsRaw()}
		common := series.CommonBounds(expected.Bounds, got.Hist.Bounds)
		got.Hist = got.Hist.Rebucket(common)
		coarse := series.Point{Hist: expected.Rebucket(common)}
		return got, replaced(want, Fields(&coarse), "bounds", "counts")
	case got.Exp != nil && given(want, "scale"):
		return exponentialAtCommonResolution(got, want)
	}
	return got, want
}

func exponentialAtCommonResolution(got series.Point, want []Field) (series.Point, []Field) {
	shape := []string{"scale", "threshold", "zero", "offset", "pos", "negoffset", "neg"}
	dp := pmetric.NewExponentialHistogramDataPoint()
	if (&Point{Fields: only(want, shape...)}).exponential(dp, got.Time.AsTime()) != nil {
		return got, want
	}
	expected := series.Exp{
		Scale: dp.Scale(), Threshold: dp.ZeroThreshold(), Zero: dp.ZeroCount(),
		Pos: series.Buckets{Offset: dp.Positive().Offset(), Counts: dp.Positive().BucketCounts().AsRaw()},
		Neg: series.Buckets{Offset: dp.Negative().Offset(), Counts: dp.Negative().BucketCounts().AsRaw()},
	}
	scale, threshold := min(expected.Scale, got.Exp.Scale), math.Max(expected.Threshold, got.Exp.Threshold)
	coarse := series.Point{Exp: expected.Coarser(scale, threshold)}
	if got.Exp.Scale < expected.Scale && got.Exp.Count > 0 {
		shape = shape[1:]
	}
	got.Exp = got.Exp.Coarser(scale, threshold)
	return got, replaced(want, Fields(&coarse), shape...)
}

func given(fields []Field, key string) bool { return len(only(fields, key)) > 0 }

func only(fields []Field, keys ...string) []Field {
	var out []Field
	for _, f := range fields {
		for _, key := range keys {
			if f.Key == key {
				out = append(out, f)
			}
		}
	}
	return out
}

// replaced takes the values of some keys from other fields.
func replaced(fields, from []Field, keys ...string) []Field {
	out := append([]Field{}, fields...)
	for i, f := range out {
		for _, other := range only(from, keys...) {
			if f.Key == other.Key {
				out[i] = other
			}
		}
	}
	return out
}
