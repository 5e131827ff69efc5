package scenario

import "time"

// Scenario is one test: a configuration, names for workers and metrics, and
// what happens in order.
type Scenario struct {
	// Name says where the scenario is from; errors begin with it.
	Name string
	// Config is YAML in the keys of the processor's configuration, laid over
	// the runner's defaults.
	Config  string
	Workers []Worker
	Metrics []Metric
	Steps   []Step
}

// Worker is a name for a set of resource attributes.
type Worker struct {
	Name  string
	Attrs Attrs
}

// Step is one statement and the line it stands on.
type Step struct {
	Line int
	Do   Statement
}

// Statement is one of Clock, Push, Out, Ended, Passed, Self, Log, Collector, Storage, Sink.
type Statement interface{ String() string }

// Clock moves the collector's clock to a second, or on by a duration.
type Clock struct {
	To       time.Duration
	Relative bool
}

// Push is one request and what the processor must answer.
type Push struct {
	Blocks []Block
	Answer Answer
}

// Block is what one request holds of one resource.
type Block struct {
	Worker string
	// Extra is added to the worker's attributes, for this block only.
	Extra Attrs
	Items []Item
}

// Item is a Point or a Signal.
type Item interface{ text(context *Point) string }

// Point is a data point, pushed or expected: a metric's handle, point
// attributes and fields as they are written.
type Point struct {
	Handle      string
	Attrs       Attrs
	Start, Time string
	Fields      []Field
}

// Field is one property of a point: its value, or a part of it.
type Field struct{ Key, Value string }

// Signal is a worker.state point.
type Signal struct {
	State  string
	Reason string
	Time   string
}

// Answer is the expected result of a push.
type Answer struct {
	// Any is whether every result is right.
	Any bool
	// Error is whether the push is refused.
	Error bool
	// Kind is "", "permanent", "retryable" or "fenced".
	Kind string
	// Match is a regular expression for the error's text, without slashes.
	Match string
}

// Out waits for the next flush and compares it.
type Out struct{ Expect []Expect }

// Ended expects each series to have ended with one no-recorded-value point
// since it was last asked for.
type Ended struct{ Expect []Expect }

// Passed compares what was forwarded during the last push.
type Passed struct{ Expect []Expect }

// Expect is one expected series, or the number of series.
type Expect struct {
	// Where is "", "total", "retained", a worker's name, or "{...}" for
	// exactly these resource attributes.
	Where string
	// Absent is whether there must be no such series.
	Absent bool
	Point  Point
	// Series is the number of series; negative when not asked for.
	Series int
}

// Self expects values of the processor's own metrics.
type Self struct{ Values []SelfValue }

// SelfValue is one self-metric without its prefix. No such point reads as 0.
type SelfValue struct {
	Name  string
	Attrs Attrs
	Op    string // =, <= or >=
	Value int64
}

// Log expects messages at a level that match; Times is -1 for "at least one".
type Log struct {
	Level string
	Match string
	Times int
}

// Collector is stop, start, restart or crash.
type Collector struct{ What string }

// Storage is what happens to the storage: fails, works, damaged, emptied.
type Storage struct{ What string }

// Sink is what the next consumer does: refuses or accepts.
type Sink struct{ What string }
