package deadworkerretain

import (
	"strings"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/core"
)

var aggregations = map[string]core.Aggregation{
	"sum": core.Sum, "min": core.Min, "max": core.Max, "mean": core.Mean, "last": core.Last,
	"per_worker": core.PerWorker, "drop": core.Drop,
}

var initialValues = map[string]core.InitialValue{
	"auto": core.InitialAuto, "keep": core.InitialKeep, "drop": core.InitialDrop,
}

// options translates a valid configuration for the core.
func (c *Config) options() *core.Options {
	stale, _ := c.staleAfter()
	o := &core.Options{
		GroupBy:             c.GroupBy,
		Life:                c.Life,
		DropScopeVersion:    c.ScopeVersion == "drop",
		IgnoreStart:         c.StartTime == "ignore",
		StaleAfter:          stale,
		Split:               c.Output == "split",
		InitialValue:        initialValues[c.InitialValue],
		Durable:             c.Storage != nil,
		AfterGoodbye:        c.Tombstones.AfterGoodbye,
		AfterStaleness:      c.Tombstones.AfterStaleness,
		RetainedTTL:         c.RetainedTTL,
		MaxWorkers:          c.MaxWorkers,
		MaxSeries:           c.MaxSeries,
		MaxStreamsPerWorker: c.MaxStreamsPerWorker,
		MaxTombstones:       c.MaxTombstones,
	}
	for _, candidate := range c.Identity {
		o.Identity = append(o.Identity, strings.Split(candidate, "+"))
	}
	for _, r := range c.Rules {
		o.Rules = append(o.Rules, core.Rule{
			Match: r.Match, Aggregation: aggregations[r.Gauge], Monotonic: r.Monotonic, Pass: r.Pass,
		})
	}
	return o
}
