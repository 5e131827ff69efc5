package oracle

import (
	"math"
	"slices"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario/series"
)

// run is the distinct points of one run in time order (deltas: one), and its baseline.
type run struct {
	name     runName
	points   []series.Point
	baseline *series.Point
	// current is whether no later run has taken the name: see runName.
	current bool
}

// runName identifies a run for the question whether it lives. All deltas of a
// stream share one, and so do its runs without start time.
type runName struct {
	life, stream string
	start        pcommon.Timestamp
	delta        bool
	// level is whether the run is of an up-down sum or gauge, which stands
	// until its life dies; others fall silent for themselves.
	level bool
}

func nameOf(a *arrival) runName {
	name := runName{life: a.life, stream: a.point.ID.String(), start: a.point.Start, level: !a.point.Monotonic()}
	if a.point.Temporality == pmetric.AggregationTemporalityDelta {
		name.start, name.delta = 0, true
	}
	if name.level {
		name.start = 0 // a life has one value of it
	}
	return name
}

func (r *run) last() *series.Point { return &r.points[len(r.points)-1] }

// runs sorts all that arrived into the runs of each output series.
func (o *Oracle) runs() map[Output][]run {
	streams := map[runName][]arrival{}
	var order []runName
	for _, a := range o.arrivals {
		name := nameOf(&a)
		if streams[name] == nil {
			order = append(order, name)
		}
		streams[name] = append(streams[name], a)
	}
	out := map[Output][]run{}
	for _, name := range order {
		arrived := streams[name]
		key := outputOf(&arrived[0].point)
		parts := split(distinct(arrived))
		for i, points := range parts {
			out[key] = append(out[key], run{
				name: name, points: points,
				baseline: o.baseline(name.life, arrived, points),
				current:  i == len(parts)-1,
			})
		}
	}
	return out
}

// distinct drops what arrived again and, but for deltas, what is older than
// what was there: in a run that only grows it can add nothing.
func distinct(arrived []arrival) []series.Point {
	var out []series.Point
	for _, a := range arrived {
		old := slices.ContainsFunc(out, func(p series.Point) bool {
			if p.Temporality == pmetric.AggregationTemporalityDelta {
				return p.Time == a.point.Time && p.Start == a.point.Start && size(&p) == size(&a.point)
			}
			return p.Time >= a.point.Time
		})
		if !old {
			out = append(out, a.point)
		}
	}
	return out
}

// split makes every delta a run, and begins a run at every fall of what has no
// start time. What has one is one run.
func split(points []series.Point) [][]series.Point {
	var out [][]series.Point
	for i, p := range points {
		delta := p.Temporality == pmetric.AggregationTemporalityDelta
		fell := i > 0 && p.Start == 0 && p.Monotonic() && fell(&points[i-1], &p)
		if i == 0 || delta || fell {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], p)
	}
	return out
}

// size orders the points of a run: its value, or its count.
func size(p *series.Point) float64 {
	switch {
	case p.Hist != nil:
		return float64(p.Hist.Count)
	case p.Exp != nil:
		return float64(p.Exp.Count)
	case p.Summary != nil:
		return float64(p.Summary.Count)
	}
	return p.Number.Float64()
}

// fell reports whether a point is lower than the one before: its value, its
// count, or any bucket at the resolution that both have.
func fell(before, p *series.Point) bool {
	if size(p) < size(before) {
		return true
	}
	switch {
	case p.Hist != nil:
		shared := series.CommonBounds(before.Hist.Bounds, p.Hist.Bounds)
		was := before.Hist.Rebucket(shared).Counts
		for i, n := range p.Hist.Rebucket(shared).Counts {
			if n < was[i] {
				return true
			}
		}
	case p.Exp != nil:
		return bucketFell(before.Exp, p.Exp)
	}
	return false
}

func bucketFell(before, now *series.Exp) bool {
	scale := min(before.Scale, now.Scale)
	threshold := edgeAbove(scale, math.Max(before.Threshold, now.Threshold))
	was, is := before.Coarser(scale, threshold), now.Coarser(scale, threshold)
	lower := is.Zero < was.Zero
	for i, side := range []series.Buckets{was.Pos, was.Neg} {
		at := []series.Buckets{is.Pos, is.Neg}[i].ByIndex(0, 0)
		for index, n := range side.ByIndex(0, 0) {
			lower = lower || at[index] < n
		}
	}
	return lower
}

// baseline is the point of the run that arrived first, if first values are
// dropped and it came within the life's first collection.
func (o *Oracle) baseline(life string, arrived []arrival, points []series.Point) *series.Point {
	first := arrived[0]
	dropped := o.Drop && first.point.Temporality != pmetric.AggregationTemporalityDelta && first.point.Monotonic()
	inRun := slices.ContainsFunc(points, func(p series.Point) bool { return p.Time == first.point.Time })
	if !dropped || !inRun || first.at.Sub(o.born(life)) > firstCollection {
		return nil
	}
	return &first.point
}

func (o *Oracle) born(life string) time.Time {
	i := slices.IndexFunc(o.arrivals, func(a arrival) bool { return a.life == life })
	return o.arrivals[i].at
}
