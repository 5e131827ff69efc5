package scenario

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

// self checks the processor's own metrics.
func (r *runner) self(s *Self) error {
	var errs []error
	for _, want := range s.Values {
		got := r.selfValue(want.Name, want.Attrs)
		ok := got == want.Value
		switch want.Op {
		case "<=":
			ok = got <= want.Value
		case ">=":
			ok = got >= want.Value
		}
		if !ok {
			errs = append(errs, fmt.Errorf("%s%s is %d, expected %s%d", want.Name, want.Attrs, got, want.Op, want.Value))
		}
	}
	return errors.Join(errs...)
}

// selfValue adds up the points of a self-metric that have the attributes.
func (r *runner) selfValue(name string, attrs Attrs) (total int64) {
	m, err := r.collector.telemetry.GetMetric("otelcol_" + r.collector.factory.Type().String() + "_" + name)
	if err != nil {
		return 0 // an instrument without points is not reported
	}
	var points []metricdata.DataPoint[int64]
	switch data := m.Data.(type) {
	case metricdata.Sum[int64]:
		points = data.DataPoints
	case metricdata.Gauge[int64]:
		points = data.DataPoints
	case metricdata.Histogram[float64]:
		for _, p := range data.DataPoints {
			total += int64(p.Count)
		}
	case metricdata.Gauge[float64]:
		for _, p := range data.DataPoints {
			total += int64(p.Value)
		}
	}
	for _, p := range points {
		if selected(p.Attributes, attrs) {
			total += p.Value
		}
	}
	return total
}

func selected(set attribute.Set, attrs Attrs) bool {
	for _, want := range attrs {
		if got, ok := set.Value(attribute.Key(want.Key)); !ok || got.AsString() != want.Value {
			return false
		}
	}
	return true
}

// log checks what the processor has logged since it started.
func (r *runner) log(l *Log) error {
	match := regexp.MustCompile(l.Match)
	var all []string
	times := 0
	for _, entry := range r.collector.logs.All() {
		var b strings.Builder
		b.WriteString(entry.Message)
		for k, v := range entry.ContextMap() {
			fmt.Fprintf(&b, " %s=%v", k, v)
		}
		text := b.String()
		all = append(all, entry.Level.String()+" "+text)
		if entry.Level.String() == l.Level && match.MatchString(text) {
			times++
		}
	}
	if times == l.Times || l.Times < 0 && times > 0 {
		return nil
	}
	return fmt.Errorf("logged %d times; the log is:\n  %s", times, strings.Join(all, "\n  "))
}
