package lifecycle

import (
	"fmt"
	"math"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
)

// Signal is one worker.state point without the resource it stands on.
type Signal struct {
	State State
	// Reason is one of the reasons of this package, or another one of the sender's.
	Reason string
	// Cause is shown, nothing else.
	Cause string
	Time  pcommon.Timestamp
}

// AppendTo adds the signal as a worker.state point to the resource's metrics,
// in a scope of its own behind what is there.
func (s Signal) AppendTo(rm pmetric.ResourceMetrics) {
	sm := rm.ScopeMetrics().AppendEmpty()
	sm.Scope().SetName(ScopeName)
	m := sm.Metrics().AppendEmpty()
	m.SetName(MetricName)
	dp := m.SetEmptyGauge().DataPoints().AppendEmpty()
	dp.SetTimestamp(s.Time)
	dp.SetIntValue(int64(s.State))
	if s.Reason != "" {
		dp.Attributes().PutStr(AttrReason, s.Reason)
	}
	if s.Cause != "" {
		dp.Attributes().PutStr(AttrCause, s.Cause)
	}
}

// IsSignal reports whether a metric holds signals and no data.
func IsSignal(m pmetric.Metric) bool {
	return m.Name() == MetricName && m.Type() == pmetric.MetricTypeGauge
}

// Read takes the signal out of a point of a metric that [IsSignal]. An SDK may
// send the state as a double. The error names the value and what is allowed.
func Read(dp pmetric.NumberDataPoint) (Signal, error) {
	s := Signal{Time: dp.Timestamp()}
	switch dp.ValueType() {
	case pmetric.NumberDataPointValueTypeInt:
		s.State = State(dp.IntValue())
	case pmetric.NumberDataPointValueTypeDouble:
		v := dp.DoubleValue()
		if v != math.Trunc(v) || math.Abs(v) > 1e9 {
			return s, fmt.Errorf("%s is %v, expected 0 (running), 1 (quiet) or 2 (terminated)", MetricName, v)
		}
		s.State = State(v)
	default:
		return s, fmt.Errorf("%s has no value, expected 0 (running), 1 (quiet) or 2 (terminated)", MetricName)
	}
	if !s.State.Valid() {
		return s, fmt.Errorf("%s is %d, expected 0 (running), 1 (quiet) or 2 (terminated)", MetricName, int64(s.State))
	}
	if r, ok := dp.Attributes().Get(AttrReason); ok {
		s.Reason = r.AsString()
	}
	if c, ok := dp.Attributes().Get(AttrCause); ok {
		s.Cause = c.AsString()
	}
	return s, nil
}
