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

// levels are the latest values of the living.
func levels(runs []run, living map[runName]state) (values []series.Number) {
	for _, r := range runs {
		if r.current && living[r.name] == alive {
			values = append(values, r.last().Number)
		}
	}
	return values
}

// combined makes one value of several; without a rule it is their sum.
func combined(values []series.Number, rule string) series.Number {
	switch rule {
	case "min":
		return slices.MinFunc(values, series.Number.Cmp)
	case "max":
		return slices.MaxFunc(values, series.Number.Cmp)
	}
	sum := series.IntNumber(0)
	for _, v := range values {
		sum = sum.Add(v)
	}
	if rule == "mean" {
		return series.FloatNumber(sum.Float64() / float64(len(values)))
	}
	return sum
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
