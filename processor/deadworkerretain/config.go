package deadworkerretain

import (
	"errors"
	"fmt"
	"time"

	"go.opentelemetry.io/collector/component"
)

// Config is the processor's configuration. Its zero value is not usable; the
// factory's default, `{}` in YAML, is.
type Config struct {
	// Identity is an ordered list of candidates: the first one whose resource
	// attributes are all present names the worker. "a+b" needs both.
	Identity []string `mapstructure:"identity"`
	// GroupBy lists the resource attributes that reach the aggregated series.
	// Workers that agree in them are summed.
	GroupBy []string `mapstructure:"group_by"`
	// Life lists the resource attributes that tell a process from its successor
	// or its siblings under the same identity.
	Life []string `mapstructure:"life"`
	// ScopeVersion is "keep" (default) or "drop": whether the version of an
	// instrumentation scope tells series apart.
	ScopeVersion string `mapstructure:"scope_version"`
	// StartTime is "trust" (default) or "ignore": whether the start time of
	// cumulative points is believed. Without it, resets show by value.
	StartTime string `mapstructure:"start_time"`
	// StaleAfter is how long a life may be silent before it is folded: "auto"
	// (default: four times its own push interval, 60 s to 15 m) or a duration.
	StaleAfter string `mapstructure:"stale_after"`
	// FlushInterval is the time between two outputs of all series.
	FlushInterval time.Duration `mapstructure:"flush_interval"`
	// Output is "total" (default: one series) or "split" (one per living life
	// and one retained, which add up to the total).
	Output string `mapstructure:"output"`
	// InitialValue is "auto" (default), "keep" or "drop": whether the first
	// value of a run counts whole or is its baseline.
	InitialValue string `mapstructure:"initial_value"`
	// Rules say how metrics that are not monotonic are aggregated. First match wins.
	Rules []Rule `mapstructure:"rules"`
	// Tombstones say how long the values of dead lives are kept.
	Tombstones Tombstones `mapstructure:"tombstones"`
	// RetainedTTL is how long a series that nobody feeds any more is emitted. 0: for ever.
	RetainedTTL time.Duration `mapstructure:"retained_ttl"`
	// MaxWorkers is the most lives that may live at once.
	MaxWorkers int `mapstructure:"max_workers"`
	// MaxSeries is the most output series; what is beyond goes to overflow series.
	MaxSeries int `mapstructure:"max_series"`
	// MaxStreamsPerWorker is the most streams of one life.
	MaxStreamsPerWorker int `mapstructure:"max_streams_per_worker"`
	// MaxTombstones is the most dead lives whose values are kept.
	MaxTombstones int `mapstructure:"max_tombstones"`
	// Storage is the id of a storage extension. Unset: memory only.
	Storage *component.ID `mapstructure:"storage"`
	// CheckpointInterval adds checkpoints between flushes. 0: at every flush only.
	CheckpointInterval time.Duration `mapstructure:"checkpoint_interval"`

	// prevent unkeyed literal initialization
	_ struct{}
}

// Rule says what becomes of the metrics whose names match. Exactly one of
// Gauge, Monotonic and Pass is set.
type Rule struct {
	// Match lists metric names; * matches any run of characters.
	Match []string `mapstructure:"match"`
	// Gauge is how gauges and non-monotonic sums are put together over the
	// living lives: sum, min, max, mean, last; per_worker; or drop.
	Gauge string `mapstructure:"gauge"`
	// Monotonic makes a non-monotonic sum a counter.
	Monotonic bool `mapstructure:"monotonic"`
	// Pass forwards the metric at once and untouched.
	Pass bool `mapstructure:"pass"`

	// prevent unkeyed literal initialization
	_ struct{}
}

// Tombstones says how long the values of dead lives are kept, so that a wrong
// guess about their death can be undone.
type Tombstones struct {
	// AfterGoodbye applies to lives that said so themselves.
	AfterGoodbye time.Duration `mapstructure:"after_goodbye"`
	// AfterStaleness applies to every other death.
	AfterStaleness time.Duration `mapstructure:"after_staleness"`

	// prevent unkeyed literal initialization
	_ struct{}
}

func createDefaultConfig() component.Config {
	return &Config{
		Identity:            []string{"worker.id", "service.instance.id", "host.name+process.pid", "k8s.pod.uid", "container.id", "faas.instance"},
		GroupBy:             []string{"service.namespace", "service.name", "deployment.environment.name"},
		Life:                []string{"process.pid", "process.creation.time", "worker.incarnation"},
		ScopeVersion:        "keep",
		StartTime:           "trust",
		StaleAfter:          "auto",
		FlushInterval:       15 * time.Second,
		Output:              "total",
		InitialValue:        "auto",
		Tombstones:          Tombstones{AfterGoodbye: 5 * time.Minute, AfterStaleness: time.Hour},
		MaxWorkers:          100_000,
		MaxSeries:           1_000_000,
		MaxStreamsPerWorker: 20_000,
		MaxTombstones:       100_000,
	}
}

// Validate reports every impossible value at once; each error names the key,
// the value and what is allowed.
func (c *Config) Validate() error {
	var errs []error
	if len(c.Identity) == 0 {
		errs = append(errs, errors.New("identity is empty, expected at least one resource attribute"))
	}
	errs = append(errs,
		attributeNames("identity", c.Identity, true),
		attributeNames("group_by", c.GroupBy, false),
		attributeNames("life", c.Life, false),
		oneOf("scope_version", c.ScopeVersion, "keep", "drop"),
		oneOf("start_time", c.StartTime, "trust", "ignore"),
		oneOf("output", c.Output, "total", "split"),
		oneOf("initial_value", c.InitialValue, "auto", "keep", "drop"),
		atLeast("flush_interval", c.FlushInterval, 10*time.Millisecond),
		atLeast("tombstones::after_goodbye", c.Tombstones.AfterGoodbye, 0),
		atLeast("tombstones::after_staleness", c.Tombstones.AfterStaleness, 0),
		atLeast("retained_ttl", c.RetainedTTL, 0),
		atLeast("checkpoint_interval", c.CheckpointInterval, 0),
		positive("max_workers", c.MaxWorkers),
		positive("max_series", c.MaxSeries),
		positive("max_streams_per_worker", c.MaxStreamsPerWorker),
		positive("max_tombstones", c.MaxTombstones),
	)
	if _, err := c.staleAfter(); err != nil {
		errs = append(errs, err)
	}
	for i, r := range c.Rules {
		if err := r.validate(); err != nil {
			errs = append(errs, fmt.Errorf("rules[%d]: %w", i, err))
		}
	}
	return errors.Join(errs...)
}

// staleAfter is the fixed time of silence after which a life is stale, or 0 for auto.
func (c *Config) staleAfter() (time.Duration, error) {
	if c.StaleAfter == "auto" {
		return 0, nil
	}
	d, err := time.ParseDuration(c.StaleAfter)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("stale_after is %q, expected \"auto\" or a duration above 0 such as \"90s\"", c.StaleAfter)
	}
	return d, nil
}

func (r *Rule) validate() error {
	if len(r.Match) == 0 {
		return errors.New("match is empty, expected at least one metric name")
	}
	actions := 0
	for _, set := range []bool{r.Gauge != "", r.Monotonic, r.Pass} {
		if set {
			actions++
		}
	}
	if actions != 1 {
		return fmt.Errorf("rule for %q sets %d of gauge, monotonic and pass, expected exactly one", r.Match, actions)
	}
	if r.Gauge == "" {
		return nil
	}
	return oneOf("gauge", r.Gauge, "sum", "min", "max", "mean", "last", "per_worker", "drop")
}
