package oracle

import (
	"math/big"
	"slices"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario/series"
)

// counter is the sum of the runs' values less their baselines: an int as long
// as every point has been one and the sum fits.
func counter(runs []run) series.Number {
	sum := new(big.Rat)
	ints := true
	for _, r := range runs {
		sum.Add(sum, exact(highest(r.points)))
		if r.baseline != nil {
			sum.Sub(sum, exact(r.baseline.Number))
		}
		ints = ints && !slices.ContainsFunc(r.points, func(p series.Point) bool { return !p.Number.IsInt() })
	}
	if ints && sum.Num().IsInt64() {
		return series.IntNumber(sum.Num().Int64())
	}
	f, _ := sum.Float64()
	return series.FloatNumber(f)
}

func highest(points []series.Point) series.Number {
	return slices.MaxFunc(points, func(a, b series.Point) int { return a.Number.Cmp(b.Number) }).Number
}

func exact(n series.Number) *big.Rat {
	if n.IsInt() {
		return new(big.Rat).SetInt64(n.Int)
	}
	return new(big.Rat).SetFloat64(n.Float)
}

// upDown is the sum over living runs of their latest value.
func upDown(runs []run, living map[runName]state) (series.Number, bool) {
	sum, any := series.IntNumber(0), false
	for _, r := range runs {
		if r.current && living[r.name] == alive {
			sum, any = sum.Add(r.last().Number), true
		}
	}
	return sum, any
}

// summary is the sum of counts and sums.
func summary(runs []run) *series.Quantiles {
	out := &series.Quantiles{}
	for _, r := range runs {
		out.Count += r.last().Summary.Count
		out.Sum += r.last().Summary.Sum
		if r.baseline != nil {
			out.Count -= r.baseline.Summary.Count
			out.Sum -= r.baseline.Summary.Sum
		}
	}
	return out
}
