package law

import (
	"math"

	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario/series"
)

// maxBuckets is the most buckets an exponential histogram has on each side.
const maxBuckets = 160

// wellFormed checks one point for itself.
func wellFormed(p *series.Point, complain func(string, ...any)) {
	switch p.ID.Kind {
	case series.Counter, series.UpDown, series.Histogram, series.Exponential:
		if p.Temporality != pmetric.AggregationTemporalityCumulative {
			complain("its temporality is %s, expected cumulative", p.Temporality)
		}
	}
	switch p.ID.Kind {
	case series.Counter:
		number(p.Number, complain)
		if p.Number.Float64() < 0 {
			complain("it is %s, expected no negative value of a counter", p.Number)
		}
	case series.UpDown:
		number(p.Number, complain)
	case series.Gauge:
		if p.Number.Type == pmetric.NumberDataPointValueTypeEmpty {
			complain("it has no value")
		}
	case series.Histogram:
		histogram(p.Hist, complain)
	case series.Exponential:
		exponential(p.Exp, complain)
	case series.Summary:
		if !finite(&p.Summary.Sum) {
			complain("its sum is %v", p.Summary.Sum)
		}
	case series.Empty:
		complain("it has no data type")
	}
}

func number(n series.Number, complain func(string, ...any)) {
	if n.Type == pmetric.NumberDataPointValueTypeEmpty || !n.Finite() {
		complain("it is %s, expected a finite number", n)
	}
}

func histogram(h *series.Hist, complain func(string, ...any)) {
	if len(h.Counts) != len(h.Bounds)+1 {
		complain("it has %d buckets for %d bounds", len(h.Counts), len(h.Bounds))
		return
	}
	for i := 1; i < len(h.Bounds); i++ {
		if h.Bounds[i] <= h.Bounds[i-1] {
			complain("its bounds %v do not rise", h.Bounds)
		}
	}
	if in := h.LE(math.Inf(1)); in != h.Count {
		complain("its buckets hold %d, its count is %d", in, h.Count)
	}
	if !finite(h.Sum, h.Min, h.Max) {
		complain("its sum, min or max is not a finite number")
	}
}

func exponential(e *series.Exp, complain func(string, ...any)) {
	in := e.Zero
	for _, side := range []series.Buckets{e.Pos, e.Neg} {
		if len(side.Counts) > maxBuckets {
			complain("it has %d buckets on one side, expected at most %d", len(side.Counts), maxBuckets)
		}
		for _, n := range side.Counts {
			in += n
		}
	}
	if in != e.Count {
		complain("its buckets hold %d, its count is %d", in, e.Count)
	}
	if e.Scale < -4 || e.Scale > 20 {
		complain("its scale is %d, expected -4 to 20", e.Scale)
	}
	if e.Threshold < 0 || !finite(&e.Threshold, e.Sum, e.Min, e.Max) {
		complain("its zero threshold, sum, min or max is not a finite number")
	}
}

func finite(values ...*float64) bool {
	for _, v := range values {
		if v != nil && (math.IsNaN(*v) || math.IsInf(*v, 0)) {
			return false
		}
	}
	return true
}
