package series

import (
	"fmt"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
)

// Kind is a metric's type as far as it tells series apart.
type Kind string

// The kinds of metrics. A monotonic sum is a Counter, any other sum an UpDown.
const (
	Counter     Kind = "counter"
	UpDown      Kind = "updown"
	Gauge       Kind = "gauge"
	Histogram   Kind = "histogram"
	Exponential Kind = "exponential"
	Summary     Kind = "summary"
	Empty       Kind = "empty"
)

// ID is everything that identifies a series. Attribute sets are written as
// text, sorted by key.
type ID struct {
	Resource string
	Scope    string
	Metric   string
	Unit     string
	Kind     Kind
	Attrs    string
}

func (id ID) String() string {
	return fmt.Sprintf("%s %s%s in scope %q on %s", id.Kind, id.Metric, id.Attrs, id.Scope, id.Resource)
}

// Point is one data point. Of the value fields only those of its kind are set.
type Point struct {
	ID          ID
	Description string
	Resource    pcommon.Map
	Attrs       pcommon.Map
	Temporality pmetric.AggregationTemporality
	// Alone is whether every point of the point's Metric has the same no-recorded-value flag.
	Alone       bool
	Start, Time pcommon.Timestamp
	NoRecorded  bool
	Number      Number
	Hist        *Hist
	Exp         *Exp
	Summary     *Quantiles
	Exemplars   pmetric.ExemplarSlice
}

// Monotonic reports whether the values of the point's series may only grow.
func (p *Point) Monotonic() bool {
	return p.ID.Kind != UpDown && p.ID.Kind != Gauge && p.ID.Kind != Empty
}

// Hist is the value of an explicit-bucket histogram. Sum, Min and Max are nil when absent.
type Hist struct {
	Bounds        []float64
	Counts        []uint64
	Count         uint64
	Sum, Min, Max *float64
}

// Quantiles is the value of a summary.
type Quantiles struct {
	Count     uint64
	Sum       float64
	Quantiles map[float64]float64
}

// Exp is the value of an exponential histogram. Sum, Min and Max are nil when absent.
type Exp struct {
	Scale         int32
	Zero          uint64
	Threshold     float64
	Pos, Neg      Buckets
	Count         uint64
	Sum, Min, Max *float64
}

// Buckets is one side of an exponential histogram.
type Buckets struct {
	Offset int32
	Counts []uint64
}
