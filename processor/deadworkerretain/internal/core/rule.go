package core

import "strings"

// Aggregation says how instantaneous values of the living lives become output.
type Aggregation uint8

// The aggregations: each life's value under its own resource; the sum, least,
// greatest or mean of what the living lives said last; what any of them said
// last; or nothing.
const (
	PerWorker Aggregation = iota
	Sum
	Min
	Max
	Mean
	Last
	// Drop counts the point as accepted and emits nothing.
	Drop
)

// Rule changes what becomes of the metrics whose names match one of its patterns.
type Rule struct {
	// Match holds metric names in which * stands for any run of characters.
	Match []string
	// Aggregation applies to gauges and non-monotonic sums unless Monotonic or Pass is set.
	Aggregation Aggregation
	// Monotonic turns a non-monotonic sum into a counter.
	Monotonic bool
	// Pass leaves the metric alone: it is not for the table.
	Pass bool
}

// RuleFor is the first rule that matches a metric's name, or nil.
func (o *Options) RuleFor(name string) *Rule {
	for i := range o.Rules {
		for _, pattern := range o.Rules[i].Match {
			if matches(pattern, name) {
				return &o.Rules[i]
			}
		}
	}
	return nil
}

// matches compares greedily from the left: the text before the first * must be
// a prefix, the text behind the last one a suffix, and what is between must
// follow in order.
func matches(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == name
	}
	name, ok := strings.CutPrefix(name, parts[0])
	if !ok {
		return false
	}
	last := len(parts) - 1
	for _, part := range parts[1:last] {
		_, rest, found := strings.Cut(name, part)
		if !found {
			return false
		}
		name = rest
	}
	return strings.HasSuffix(name, parts[last])
}

// Passes reports whether any rule passes metrics on.
func (o *Options) Passes() bool {
	for i := range o.Rules {
		if o.Rules[i].Pass {
			return true
		}
	}
	return false
}
