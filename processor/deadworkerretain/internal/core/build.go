package core

import (
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
)

// builder lays samples out as OTLP: resource, scope, metric, point.
type builder struct {
	md       pmetric.Metrics
	time     pcommon.Timestamp
	groups   map[*group]pmetric.ResourceMetrics
	scopes   map[Key]pmetric.ScopeMetrics
	families map[*family]pmetric.Metric
	sizes    map[*family]int
	// exemplars are those of the series that have some.
	exemplars map[*series][]pmetric.Exemplar
}

// Metrics is the output of a flush that has ended. It needs no table.
func (f *Flush) Metrics() pmetric.Metrics {
	b := &builder{
		md: pmetric.NewMetrics(), time: pcommon.Timestamp(f.time),
		groups:   map[*group]pmetric.ResourceMetrics{},
		scopes:   map[Key]pmetric.ScopeMetrics{},
		families: map[*family]pmetric.Metric{}, sizes: f.sizes.of, exemplars: f.exemplars,
	}
	var last *family
	var metric pmetric.Metric
	for i := range f.taken {
		s := &f.taken[i]
		if s.series.family != last {
			last = s.series.family
			metric = b.metricOf(last)
		}
		b.point(metric, s)
	}
	for _, e := range f.ended {
		b.ending(e)
	}
	return b.md
}

// Time is the point time of the flush, in nanoseconds.
func (f *Flush) Time() int64 { return f.time }

func (b *builder) scopeOf(f *family) pmetric.ScopeMetrics {
	rm, ok := b.groups[f.group]
	if !ok {
		rm = b.md.ResourceMetrics().AppendEmpty()
		f.group.attrs.CopyTo(rm.Resource().Attributes())
		rm.SetSchemaUrl(f.group.schemaURL)
		b.groups[f.group] = rm
	}
	sm, ok := b.scopes[f.scopeKey]
	if !ok {
		sm = rm.ScopeMetrics().AppendEmpty()
		f.scope.CopyTo(sm.Scope())
		sm.SetSchemaUrl(f.scopeSchemaURL)
		b.scopes[f.scopeKey] = sm
	}
	return sm
}

func (b *builder) metricOf(f *family) pmetric.Metric {
	m, ok := b.families[f]
	if !ok {
		m = b.newMetric(f, b.sizes[f])
		b.families[f] = m
	}
	return m
}

// newMetric has room for that many points.
func (b *builder) newMetric(f *family, points int) pmetric.Metric {
	m := b.scopeOf(f).Metrics().AppendEmpty()
	m.SetName(f.name)
	m.SetUnit(f.unit)
	m.SetDescription(f.description)
	switch f.kind {
	case kindCounter, kindUpDown:
		sum := m.SetEmptySum()
		sum.SetIsMonotonic(f.kind == kindCounter)
		sum.SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
		sum.DataPoints().EnsureCapacity(points)
	case kindGauge:
		m.SetEmptyGauge().DataPoints().EnsureCapacity(points)
	case kindHistogram:
		m.SetEmptyHistogram().SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
		m.Histogram().DataPoints().EnsureCapacity(points)
	case kindExponential:
		m.SetEmptyExponentialHistogram().SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
		m.ExponentialHistogram().DataPoints().EnsureCapacity(points)
	case kindSummary:
		m.SetEmptySummary().DataPoints().EnsureCapacity(points)
	}
	return m
}

func (b *builder) point(m pmetric.Metric, s *sample) {
	switch s.series.family.kind {
	case kindCounter, kindUpDown:
		b.number(m.Sum().DataPoints().AppendEmpty(), s, true)
	case kindGauge:
		b.number(m.Gauge().DataPoints().AppendEmpty(), s, false)
	case kindHistogram:
		b.histogram(m.Histogram().DataPoints().AppendEmpty(), s)
	case kindExponential:
		b.exponential(m.ExponentialHistogram().DataPoints().AppendEmpty(), s)
	case kindSummary:
		dp := m.Summary().DataPoints().AppendEmpty()
		b.stamp(dp, s.series)
		dp.SetCount(s.dist.count)
		dp.SetSum(s.dist.sum)
	}
}

// stamped is what all points have.
type stamped interface {
	SetStartTimestamp(pcommon.Timestamp)
	SetTimestamp(pcommon.Timestamp)
	Attributes() pcommon.Map
}

func (b *builder) stamp(dp stamped, s *series) {
	s.attrs.CopyTo(dp.Attributes())
	dp.SetStartTimestamp(pcommon.Timestamp(s.start))
	dp.SetTimestamp(b.time)
}

func (b *builder) number(dp pmetric.NumberDataPoint, s *sample, start bool) {
	s.series.attrs.CopyTo(dp.Attributes())
	dp.SetTimestamp(b.time)
	if start {
		dp.SetStartTimestamp(pcommon.Timestamp(s.series.start))
	}
	if s.num.float {
		dp.SetDoubleValue(s.num.asFloat())
	} else {
		dp.SetIntValue(s.num.int())
	}
	b.addExemplars(dp.Exemplars(), s)
}

func (b *builder) histogram(dp pmetric.HistogramDataPoint, s *sample) {
	b.stamp(dp, s.series)
	d := s.dist
	dp.SetCount(d.count)
	dp.ExplicitBounds().FromRaw(d.bounds)
	dp.BucketCounts().FromRaw(d.buckets)
	if d.hasSum {
		dp.SetSum(d.sum)
	}
	if d.hasMin {
		dp.SetMin(d.min)
	}
	if d.hasMax {
		dp.SetMax(d.max)
	}
	b.addExemplars(dp.Exemplars(), s)
}

func (b *builder) exponential(dp pmetric.ExponentialHistogramDataPoint, s *sample) {
	b.stamp(dp, s.series)
	d := s.dist
	dp.SetCount(d.count)
	if d.hasSum {
		dp.SetSum(d.sum)
	}
	if d.hasMin {
		dp.SetMin(d.min)
	}
	if d.hasMax {
		dp.SetMax(d.max)
	}
	if d.exp != nil {
		dp.SetScale(d.exp.scale)
		dp.SetZeroCount(d.exp.zero)
		dp.SetZeroThreshold(d.exp.threshold)
		dp.Positive().SetOffset(int32(d.exp.pos.offset))
		dp.Positive().BucketCounts().FromRaw(d.exp.pos.counts)
		dp.Negative().SetOffset(int32(d.exp.neg.offset))
		dp.Negative().BucketCounts().FromRaw(d.exp.neg.counts)
	}
	b.addExemplars(dp.Exemplars(), s)
}

func (b *builder) addExemplars(to pmetric.ExemplarSlice, s *sample) {
	if b.exemplars == nil {
		return
	}
	for _, e := range b.exemplars[s.series] {
		e.CopyTo(to.AppendEmpty())
	}
}

// ending tells readers that a series has ended. It stands in a metric of its
// own, because the Prometheus exporter drops the rest of a metric that holds one.
// https://opentelemetry.io/docs/specs/otel/metrics/data-model/#no-recorded-value
func (b *builder) ending(e ending) {
	s := &sample{series: &series{family: e.family, attrs: e.attrs, start: e.start}, dist: &distSample{}}
	m := b.newMetric(e.family, 1)
	b.point(m, s)
	none := pmetric.DefaultDataPointFlags.WithNoRecordedValue(true)
	switch e.family.kind {
	case kindCounter, kindUpDown:
		dp := m.Sum().DataPoints().At(0)
		dp.SetIntValue(0)
		dp.SetFlags(none)
	case kindGauge:
		m.Gauge().DataPoints().At(0).SetFlags(none)
	case kindHistogram:
		m.Histogram().DataPoints().At(0).SetFlags(none)
	case kindExponential:
		m.ExponentialHistogram().DataPoints().At(0).SetFlags(none)
	case kindSummary:
		m.Summary().DataPoints().At(0).SetFlags(none)
	}
}
