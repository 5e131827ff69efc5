package core

import "time"

// Options are the rules of a [Table]. They never change while it lives.
type Options struct {
	// Identity lists the candidates for a worker's name: the first whose
	// attributes are all present wins.
	Identity [][]string
	// GroupBy lists the resource attributes that reach aggregated series.
	GroupBy []string
	// Life lists the resource attributes that tell a process from its successor.
	Life []string
	// DropScopeVersion merges series whose scopes differ in version only.
	DropScopeVersion bool
	// IgnoreStart treats every start time as unknown.
	IgnoreStart bool
	// StaleAfter is the silence after which a life is folded. 0: by its own push interval.
	StaleAfter time.Duration
	// Split emits a series per living life and one retained, instead of one total.
	Split bool
	// InitialValue says whether a run's first value counts.
	InitialValue InitialValue
	// Durable means that the state survives a restart, so that a run that began
	// before the epoch is known to be new.
	Durable bool
	// Rules are looked up by metric name, first match first.
	Rules []Rule
	// AfterGoodbye is how long the values of a life are kept that said goodbye.
	AfterGoodbye time.Duration
	// AfterStaleness is how long the values of every other dead life are kept.
	AfterStaleness time.Duration
	// RetainedTTL is how long a series without living feeders is kept. 0: for ever.
	RetainedTTL time.Duration

	MaxWorkers          int
	MaxSeries           int
	MaxStreamsPerWorker int
	MaxTombstones       int
}

// InitialValue says what the first value of a cumulative run means.
type InitialValue uint8

const (
	// InitialAuto is InitialKeep with durable state; without, InitialDrop for
	// runs that began before the epoch or whose start is unknown.
	InitialAuto InitialValue = iota
	// InitialKeep counts a first value whole.
	InitialKeep
	// InitialDrop takes the first values of a life's first collection as baselines.
	InitialDrop
)
