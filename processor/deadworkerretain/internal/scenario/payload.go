package scenario

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// Payload makes the request that a push stands for. Seconds count from base.
func (s *Scenario) Payload(push *Push, base time.Time) (pmetric.Metrics, error) {
	md := pmetric.NewMetrics()
	for _, block := range push.Blocks {
		rm := md.ResourceMetrics().AppendEmpty()
		s.worker(block.Worker).putInto(rm.Resource().Attributes())
		block.Extra.putInto(rm.Resource().Attributes())
		metrics := map[string]pmetric.Metric{}
		for _, item := range block.Items {
			if err := s.add(rm, metrics, item, base); err != nil {
				return md, err
			}
		}
	}
	return md, nil
}

// add appends one item; points of one handle share a metric.
func (s *Scenario) add(rm pmetric.ResourceMetrics, metrics map[string]pmetric.Metric, item Item, base time.Time) error {
	if signal, ok := item.(*Signal); ok {
		return signal.appendTo(rm, base)
	}
	p := item.(*Point)
	plus := len(p.Fields) > 0 && p.Fields[0].Key == "+="
	decl := s.metric(p.Handle, plus)
	if plus != strings.HasPrefix(decl.Kind, "delta") && !s.structured(p.Handle) {
		return fmt.Errorf("%s is a %s: deltas are written with += and nothing else is", p.Handle, decl.Kind)
	}
	m, ok := metrics[p.Handle]
	if !ok {
		m = decl.appendTo(rm)
		metrics[p.Handle] = m
	}
	return p.appendTo(m, base)
}

// appendTo adds an empty metric in its scope.
func (m Metric) appendTo(rm pmetric.ResourceMetrics) pmetric.Metric {
	sm := m.scopeMetrics(rm)
	out := sm.Metrics().AppendEmpty()
	out.SetName(m.Name)
	out.SetUnit(m.Unit)
	out.SetDescription(m.Description)
	switch m.Kind {
	case "sum", "delta", "updown", "deltaupdown", "unspecified":
		out.SetEmptySum().SetIsMonotonic(!strings.HasSuffix(m.Kind, "updown"))
		out.Sum().SetAggregationTemporality(m.temporality())
	case "gauge":
		out.SetEmptyGauge()
	case "histogram", "deltahistogram":
		out.SetEmptyHistogram().SetAggregationTemporality(m.temporality())
	case "exponential", "deltaexponential":
		out.SetEmptyExponentialHistogram().SetAggregationTemporality(m.temporality())
	case "summary":
		out.SetEmptySummary()
	}
	return out
}

func (m Metric) temporality() pmetric.AggregationTemporality {
	switch {
	case m.Kind == "unspecified":
		return pmetric.AggregationTemporalityUnspecified
	case strings.HasPrefix(m.Kind, "delta"):
		return pmetric.AggregationTemporalityDelta
	}
	return pmetric.AggregationTemporalityCumulative
}

func (m Metric) scopeMetrics(rm pmetric.ResourceMetrics) pmetric.ScopeMetrics {
	name, version, _ := strings.Cut(m.Scope, "@")
	for _, sm := range rm.ScopeMetrics().All() {
		sameAttrs := sm.Scope().Attributes().Equal(m.ScopeAttrs.asMap())
		if sm.Scope().Name() == name && sm.Scope().Version() == version && sameAttrs {
			return sm
		}
	}
	sm := rm.ScopeMetrics().AppendEmpty()
	sm.Scope().SetName(name)
	sm.Scope().SetVersion(version)
	m.ScopeAttrs.putInto(sm.Scope().Attributes())
	return sm
}

func (s *Signal) appendTo(rm pmetric.ResourceMetrics, base time.Time) error {
	t, err := timestamp(s.Time, base)
	if err != nil {
		return err
	}
	name := s.State
	if name == "goodbye" {
		name = lifecycle.Terminated.String()
	}
	state, err := lifecycle.ParseState(name)
	if err == nil {
		lifecycle.Signal{State: state, Reason: s.Reason, Time: t}.AppendTo(rm)
		return nil
	}
	raw, err := strconv.ParseInt(s.State, 10, 64)
	lifecycle.Signal{State: lifecycle.State(raw), Reason: s.Reason, Time: t}.AppendTo(rm)
	return err
}
