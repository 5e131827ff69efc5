package law

import (
	"math"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario/series"
)

// neverBack checks a point against the one before it in the same series.
func (c *Checker) neverBack(before, now *series.Point, complain func(string, ...any)) {
	if before.Start != now.Start || !now.Monotonic() {
		return
	}
	switch now.ID.Kind {
	case series.Counter:
		if now.Number.Cmp(before.Number) < 0 {
			complain("fell from %s to %s", before.Number, now.Number)
		}
		if now.Number.IsInt() && !before.Number.IsInt() {
			complain("was a double, %s, and became an int, %s", before.Number, now.Number)
		}
	case series.Histogram:
		c.histogramGrows(before.Hist, now.Hist, complain)
	case series.Exponential:
		c.exponentialGrows(before.Exp, now.Exp, complain)
	case series.Summary:
		grows("count", before.Summary.Count, now.Summary.Count, complain)
		c.sumGrows(&before.Summary.Sum, &now.Summary.Sum, complain)
	}
}

func (c *Checker) histogramGrows(before, now *series.Hist, complain func(string, ...any)) {
	grows("count", before.Count, now.Count, complain)
	for _, bound := range append(series.CommonBounds(before.Bounds, now.Bounds), math.Inf(1)) {
		if was, is := before.LE(bound), now.LE(bound); is < was {
			complain("its bucket le=%v fell from %d to %d", bound, was, is)
		}
	}
	c.sumGrows(before.Sum, now.Sum, complain)
	if before.Count > 0 {
		minMax(before.Min, now.Min, before.Max, now.Max, complain)
	}
}

func (c *Checker) exponentialGrows(before, now *series.Exp, complain func(string, ...any)) {
	grows("count", before.Count, now.Count, complain)
	if now.Scale > before.Scale {
		complain("its scale rose from %d to %d", before.Scale, now.Scale)
		return
	}
	if now.Threshold < before.Threshold {
		complain("its zero threshold fell from %v to %v", before.Threshold, now.Threshold)
		return
	}
	was := before.Coarser(now.Scale, now.Threshold)
	grows("zero count", was.Zero, now.Zero, complain)
	for i, side := range []series.Buckets{was.Pos, was.Neg} {
		is := []series.Buckets{now.Pos, now.Neg}[i].ByIndex(0, 0)
		for index, n := range side.ByIndex(0, 0) {
			if is[index] < n {
				complain("its bucket %d of side %d fell from %d to %d", index, i, n, is[index])
			}
		}
	}
	c.sumGrows(before.Sum, now.Sum, complain)
	if before.Count > 0 {
		minMax(before.Min, now.Min, before.Max, now.Max, complain)
	}
}

func grows(what string, before, now uint64, complain func(string, ...any)) {
	if now < before {
		complain("its %s fell from %d to %d", what, before, now)
	}
}

func (c *Checker) sumGrows(before, now *float64, complain func(string, ...any)) {
	if before == nil && now != nil {
		complain("its sum was absent and came back as %v", *now)
	}
	if before != nil && now != nil && *now < *before && !c.Negative {
		complain("its sum fell from %v to %v", *before, *now)
	}
}

// minMax checks that extremes only widen and, once absent, stay so.
func minMax(minBefore, minNow, maxBefore, maxNow *float64, complain func(string, ...any)) {
	if minBefore == nil && minNow != nil || maxBefore == nil && maxNow != nil {
		complain("its min or max was absent and came back")
	}
	if minBefore != nil && minNow != nil && *minNow > *minBefore {
		complain("its min rose from %v to %v", *minBefore, *minNow)
	}
	if maxBefore != nil && maxNow != nil && *maxNow < *maxBefore {
		complain("its max fell from %v to %v", *maxBefore, *maxNow)
	}
}
