// Package contender puts everything that is compared behind one interface: this
// project's processor, what others offer for the same job, and two limits that
// nothing which reads the points can be expected to beat by much.
package contender

import (
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/payload"
)

// Contender takes the pushes of a fleet.
type Contender interface {
	// Prepare brings a push into the form that the contender takes. It is not timed.
	Prepare(pmetric.Metrics)
	// Push takes the prepared push. It is what is timed.
	Push() error
	// Totals ends the contender and says what it made of all that was pushed,
	// given that one push was repeated with Record on. Nil: it makes no totals.
	Totals() payload.Totals
	// Record says whether output is kept for Totals. It starts off, so that
	// reading the output costs nobody anything.
	Record(on bool)
}

// Kind is a contender that can be built.
type Kind struct {
	// Name is how the contender is called in the names of benchmarks.
	Name string
	// New builds one for pushes of the fleet. Nil: the fleet's shape is beyond it.
	New func(*payload.Fleet) (Contender, error)
	// Exact says that its totals are right for pushes that come one after the
	// other, so that they are asserted and not only shown.
	Exact bool
	// Stateful says that it remembers streams between pushes.
	Stateful bool
}

// Kinds are all contenders, ours first.
func Kinds() []Kind {
	return []Kind{
		{Name: "ours", New: newOurs, Exact: true, Stateful: true},
		{Name: "trio", New: newTrio, Exact: true, Stateful: true},
		{Name: "streamaggr", New: newStreamaggr, Exact: true, Stateful: true},
		{Name: "metricstransform", New: newTransform},
		{Name: "decode", New: newDecode},
		{Name: "copy", New: newCopy},
	}
}

// Ours is this project's processor.
func Ours() Kind { return Kinds()[0] }

// Stateful are the contenders that make totals over time.
func Stateful() []Kind {
	var out []Kind
	for _, k := range Kinds() {
		if k.Stateful {
			out = append(out, k)
		}
	}
	return out
}
