package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Metric is what a handle stands for.
type Metric struct {
	Handle string
	// Kind is one of the names in kinds.
	Kind string
	// Name is the metric's name; the handle when empty.
	Name, Unit, Description string
	// Scope is "name" or "name@version", ScopeAttrs its attributes.
	Scope      string
	ScopeAttrs Attrs
}

var kinds = []string{
	"sum", "delta", "updown", "deltaupdown", "unspecified", "gauge",
	"histogram", "deltahistogram", "exponential", "deltaexponential", "summary", "empty",
}

// builtin are the handles that need no declaration. Any other undeclared
// handle is a sum, or a delta when it is pushed with +=.
var builtin = map[string]string{
	"c": "sum", "d": "delta", "u": "updown", "du": "deltaupdown", "g": "gauge",
	"h": "histogram", "dh": "deltahistogram", "eh": "exponential", "deh": "deltaexponential", "s": "summary",
}

// parseMetric reads: metric HANDLE KIND [name=..] [unit=..] [description=..] [scope=..] [scope_attrs={..}]
func parseMetric(words []string) (Metric, error) {
	if len(words) < 2 {
		return Metric{}, errors.New("expected a handle and a kind of metric")
	}
	m := Metric{Handle: words[0], Kind: words[1]}
	if !slices.Contains(kinds, m.Kind) {
		return m, fmt.Errorf("metric kind %q, expected one of %s", m.Kind, strings.Join(kinds, ", "))
	}
	for _, word := range words[2:] {
		key, value, _ := strings.Cut(word, "=")
		switch key {
		case "name":
			m.Name = unquote(value)
		case "unit":
			m.Unit = unquote(value)
		case "description":
			m.Description = unquote(value)
		case "scope":
			m.Scope = unquote(value)
		case "scope_attrs":
			attrs, err := parseAttrs(value)
			if err != nil {
				return m, err
			}
			m.ScopeAttrs = attrs
		default:
			return m, fmt.Errorf("%q, expected name, unit, description, scope or scope_attrs", word)
		}
	}
	return m, nil
}

func (m Metric) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "metric %s %s", m.Handle, m.Kind)
	for _, opt := range []Field{{"name", m.Name}, {"unit", m.Unit}, {"description", m.Description}, {"scope", m.Scope}} {
		if opt.Value != "" {
			fmt.Fprintf(&b, " %s=%q", opt.Key, opt.Value)
		}
	}
	if len(m.ScopeAttrs) > 0 {
		fmt.Fprintf(&b, " scope_attrs=%s", m.ScopeAttrs)
	}
	return b.String()
}

// metric finds what a handle stands for.
func (s *Scenario) metric(handle string, plus bool) Metric {
	for _, m := range s.Metrics {
		if m.Handle == handle {
			if m.Name == "" {
				m.Name = handle
			}
			return m
		}
	}
	kind, ok := builtin[handle]
	switch {
	case ok:
	case plus:
		kind = "delta"
	default:
		kind = "sum"
	}
	return Metric{Handle: handle, Kind: kind, Name: handle}
}

// structured reports whether points of the handle are written as h key=value
// and not as h=value.
func (s *Scenario) structured(handle string) bool {
	switch s.metric(handle, false).Kind {
	case "histogram", "deltahistogram", "exponential", "deltaexponential", "summary":
		return true
	}
	return false
}

// worker finds the resource attributes of a name. A name that was not declared
// is a service.instance.id.
func (s *Scenario) worker(name string) Attrs {
	for _, w := range s.Workers {
		if w.Name == name {
			return w.Attrs
		}
	}
	return Attrs{{"service.instance.id", `"` + name + `"`}}
}

func unquote(s string) string {
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' {
		return strings.ReplaceAll(s[1:len(s)-1], `\"`, `"`)
	}
	return s
}
