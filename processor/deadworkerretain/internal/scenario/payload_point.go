package scenario

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
)

var noRecordedValue = pmetric.DefaultDataPointFlags.WithNoRecordedValue(true)

// appendTo adds the point to a metric of its kind.
func (p *Point) appendTo(m pmetric.Metric, base time.Time) error {
	switch m.Type() {
	case pmetric.MetricTypeSum:
		return p.number(m.Sum().DataPoints().AppendEmpty(), base)
	case pmetric.MetricTypeGauge:
		return p.number(m.Gauge().DataPoints().AppendEmpty(), base)
	case pmetric.MetricTypeHistogram:
		return p.histogram(m.Histogram().DataPoints().AppendEmpty(), base)
	case pmetric.MetricTypeExponentialHistogram:
		return p.exponential(m.ExponentialHistogram().DataPoints().AppendEmpty(), base)
	case pmetric.MetricTypeSummary:
		return p.summary(m.Summary().DataPoints().AppendEmpty(), base)
	}
	return nil
}

type timed interface {
	SetStartTimestamp(pcommon.Timestamp)
	SetTimestamp(pcommon.Timestamp)
	Attributes() pcommon.Map
}

func (p *Point) common(dp timed, base time.Time) error {
	start, err := timestamp(p.Start, base)
	if err != nil {
		return err
	}
	t, err := timestamp(p.Time, base)
	dp.SetStartTimestamp(start)
	dp.SetTimestamp(t)
	p.Attrs.putInto(dp.Attributes())
	return err
}

func (p *Point) number(dp pmetric.NumberDataPoint, base time.Time) error {
	if err := p.common(dp, base); err != nil {
		return err
	}
	for _, f := range p.Fields {
		if f.Key == "ex" {
			if err := exemplar(f.Value, dp.Exemplars().AppendEmpty(), base); err != nil {
				return err
			}
			continue
		}
		switch f.Value {
		case "none":
			dp.SetFlags(noRecordedValue)
			continue
		case "empty":
			continue
		}
		if n, err := strconv.ParseInt(f.Value, 10, 64); err == nil {
			dp.SetIntValue(n)
			continue
		}
		v, err := float(f.Value)
		if err != nil {
			return err
		}
		dp.SetDoubleValue(v)
	}
	return nil
}

// exemplar reads value@time{attributes}.
func exemplar(text string, ex pmetric.Exemplar, base time.Time) error {
	value, rest, ok := strings.Cut(text, "@")
	if !ok {
		return fmt.Errorf("exemplar %q, expected value@time", text)
	}
	if n, err := strconv.ParseInt(value, 10, 64); err == nil {
		ex.SetIntValue(n)
	} else if v, err := float(value); err == nil {
		ex.SetDoubleValue(v)
	} else {
		return err
	}
	at, attrs, _, err := cutAttrs(rest)
	if err != nil {
		return err
	}
	t, err := timestamp(at, base)
	ex.SetTimestamp(t)
	attrs.putInto(ex.FilteredAttributes())
	return err
}
