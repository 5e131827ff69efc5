// Package oracle says what the processor must emit. It remembers everything
// that ever arrived and computes every series afresh from its definition:
//
//   - A run is one stream of one life with one start time. It contributes its
//     highest value, less its baseline, for ever. Nothing else moves a monotonic
//     total: not the order of arrival, not duplicates, not folds, not returns.
//   - A delta is a run of its own, known by its window and value.
//   - Without start times a run begins wherever the value falls, in time order.
//   - A histogram's bucket holds what its runs had in buckets that end at or
//     below its bound. The bounds are those that the layouts of all living runs
//     share.
//   - An up-down sum is the sum over living lives of their latest value; a gauge
//     the sum, the least, the greatest or the mean, as its rule says.
//
// It is meant to be read, not to be fast. It does not know late returns after
// the values of a tombstone have gone, dips, or clocks that step back.
package oracle

import (
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario/series"
)

// Oracle holds everything that arrived.
type Oracle struct {
	// StaleAfter is how long a life may be silent.
	StaleAfter time.Duration
	// Slack is how much longer a silent run of a living life may take to be
	// noticed. It shows in nothing but the bounds of histograms.
	Slack time.Duration
	// Drop makes the first value of a run that is in its life's first
	// collection the baseline.
	Drop bool
	// Gauges says by the name of a gauge how its values make one: "sum", "min",
	// "max" or "mean".
	Gauges map[string]string

	arrivals []arrival
	restores []restore
}

// firstCollection is how long after a life's first point its first collection lasts.
const firstCollection = 5 * time.Second

// arrival is one point, when it came, and from which life.
type arrival struct {
	at    time.Time
	life  string
	point series.Point
	// push counts the requests; goodbye marks those that ended with one.
	push    int
	goodbye bool
}

// Arrive adds a request of one life, which may say goodbye.
func (o *Oracle) Arrive(at time.Time, life string, points []series.Point, goodbye bool) {
	push := 0
	if n := len(o.arrivals); n > 0 {
		push = o.arrivals[n-1].push + 1
	}
	for _, p := range points {
		o.arrivals = append(o.arrivals, arrival{at: at, life: life, point: p, push: push, goodbye: goodbye})
	}
}

// Restore is a restart of the collector from durable state. It changes no value;
// silence counts from there.
func (o *Oracle) Restore(at time.Time) {
	o.restores = append(o.restores, restore{at, len(o.arrivals)})
}

// restore is when the collector came back, and how much had arrived by then.
type restore struct {
	at    time.Time
	after int
}

// Output is a series without what tells workers apart.
type Output struct {
	Metric string
	Kind   series.Kind
	Attrs  string
}

func outputOf(p *series.Point) Output { return Output{p.ID.Metric, p.ID.Kind, p.ID.Attrs} }

// Totals computes every output series as it must be at a moment. Up-down sums
// and gauges that no living life has are left out.
func (o *Oracle) Totals(now time.Time) map[Output]series.Point {
	living := o.living(now)
	out := map[Output]series.Point{}
	for key, runs := range o.runs() {
		var p series.Point
		switch key.Kind {
		case series.Counter:
			p.Number = counter(runs)
		case series.Histogram:
			p.Hist = histogram(runs, living)
		case series.Exponential:
			p.Exp = exponential(runs)
		case series.Summary:
			p.Summary = summary(runs)
		case series.UpDown, series.Gauge:
			values := levels(runs, living)
			if len(values) == 0 {
				continue
			}
			p.Number = combined(values, o.Gauges[key.Metric])
		}
		out[key] = p
	}
	return out
}

// Seen lists every output series that anything ever arrived for.
func (o *Oracle) Seen() map[Output]bool {
	out := map[Output]bool{}
	for _, a := range o.arrivals {
		out[outputOf(&a.point)] = true
	}
	return out
}

// latest is the highest of a life's point times among what arrived before.
func latest(before []arrival, life string) (t pcommon.Timestamp) {
	for _, a := range before {
		if a.life == life {
			t = max(t, a.point.Time)
		}
	}
	return t
}
