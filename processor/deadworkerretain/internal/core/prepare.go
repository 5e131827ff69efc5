package core

import (
	"slices"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// Prepare reads a request into b, which may be used again and again. It needs
// no table, so that requests can be prepared side by side.
func (b *Batch) Prepare(h Hasher, o *Options, md pmetric.Metrics) {
	b.reset()
	for _, rm := range md.ResourceMetrics().All() {
		b.addResource(h, o, rm)
	}
	b.cut()
	b.joinSame()
}

func (b *Batch) addResource(h Hasher, o *Options, rm pmetric.ResourceMetrics) {
	bl := block{who: h.identify(o, rm.Resource().Attributes(), &b.identities), res: rm}
	from := len(b.points)
	for _, sm := range rm.ScopeMetrics().All() {
		scope := h.scope(o, sm)
		for _, m := range sm.Metrics().All() {
			if lifecycle.IsSignal(m) {
				bl.addSignals(m)
				continue
			}
			b.addMetric(h, o, scope, metricRef{res: rm, scope: sm, metric: m})
		}
	}
	// The slice header is set by cut: the array may still move.
	bl.points = b.points[from:]
	b.blocks = append(b.blocks, bl)
}

// cut gives every block its own points, now that their array has its final place.
func (b *Batch) cut() {
	from := 0
	for i := range b.blocks {
		n := len(b.blocks[i].points)
		b.blocks[i].points = b.points[from : from+n : from+n]
		from += n
	}
}

// joinSame makes points of one worker that came in one request arrive in the
// order of their times, also when they came on several resources.
func (b *Batch) joinSame() {
	if len(b.blocks) > 1 {
		if b.last == nil {
			b.last = map[Key]int{}
		}
		for i := range b.blocks {
			bl := &b.blocks[i]
			worker := bl.who.names[0].plus(bl.who.life)
			if j, ok := b.last[worker]; ok {
				bl.joinOnto(&b.blocks[j])
			}
			b.last[worker] = i
		}
	}
	for i := range b.blocks {
		if points := b.blocks[i].points; !slices.IsSortedFunc(points, byTime) {
			slices.SortStableFunc(points, byTime)
		}
	}
}

// joinOnto takes over what an earlier block of the same worker holds. A block's
// own points have no room behind them, so that the first of many blocks is copied
// and the others are added to the copy.
func (bl *block) joinOnto(earlier *block) {
	bl.points = append(earlier.points, bl.points...)
	bl.signals = append(earlier.signals, bl.signals...)
	earlier.points, earlier.signals = nil, nil
}

func byTime(a, b point) int { return cmp(a.t, b.t) }

func (bl *block) addSignals(m pmetric.Metric) {
	for _, dp := range m.Gauge().DataPoints().All() {
		s, err := lifecycle.Read(dp)
		if err != nil {
			bl.badSignal = err
			continue
		}
		bl.signals = append(bl.signals, s)
	}
}

func (h Hasher) scope(o *Options, sm pmetric.ScopeMetrics) Key {
	k := h.text(roleScope, sm.Scope().Name()).plus(h.attrs(roleScopeAttr, sm.Scope().Attributes()))
	if o.DropScopeVersion {
		return k
	}
	return k.plus(h.text(roleScope+1<<32, sm.Scope().Version()))
}

func (b *Batch) addMetric(h Hasher, o *Options, scope Key, ref metricRef) {
	m := ref.metric
	rule := o.RuleFor(m.Name())
	if rule != nil && rule.Pass {
		return
	}
	ref.kind = kindOf(m, rule)
	ref.agg = aggregationFor(ref.kind, rule)
	ref.monotonic = ref.kind == kindCounter
	temporality := temporalityOf(m)
	ref.delta = temporality == pmetric.AggregationTemporalityDelta
	if !ref.delta && temporality != pmetric.AggregationTemporalityCumulative {
		b.refuseAll(m)
		return
	}
	ref.key = scope.plus(h.text(roleMetric, m.Name())).
		plus(h.text(roleMetric+1<<32, identifyingUnit(m.Unit()))).
		plus(h.words(roleMetric, uint64(ref.kind)))
	if ref.kind == kindGauge && ref.agg == PerWorker {
		ref.key = ref.key.plus(h.words(roleMetric, uint64(PerWorker), 1))
	}
	at := int32(len(b.metrics))
	b.metrics = append(b.metrics, ref)
	switch ref.kind {
	case kindCounter, kindUpDown:
		b.addNumbers(h, o, &ref, at, m.Sum().DataPoints())
	case kindGauge:
		b.addNumbers(h, o, &ref, at, m.Gauge().DataPoints())
	case kindHistogram:
		for i, dp := range m.Histogram().DataPoints().All() {
			if err := checkHistogram(dp); err != nil {
				b.invalid.add(named(m, err))
				continue
			}
			b.add(h, o, &ref, at, i, dp.Attributes(), dp.StartTimestamp(), dp.Timestamp(), dp.Flags(), number{}, dp.Exemplars().Len() > 0)
		}
	case kindExponential:
		for i, dp := range m.ExponentialHistogram().DataPoints().All() {
			if err := checkExponential(dp); err != nil {
				b.invalid.add(named(m, err))
				continue
			}
			b.add(h, o, &ref, at, i, dp.Attributes(), dp.StartTimestamp(), dp.Timestamp(), dp.Flags(), number{}, dp.Exemplars().Len() > 0)
		}
	case kindSummary:
		for i, dp := range m.Summary().DataPoints().All() {
			if err := checkSummary(dp); err != nil {
				b.invalid.add(named(m, err))
				continue
			}
			b.add(h, o, &ref, at, i, dp.Attributes(), dp.StartTimestamp(), dp.Timestamp(), dp.Flags(), number{}, false)
		}
	}
}

func (b *Batch) addNumbers(h Hasher, o *Options, ref *metricRef, at int32, dps pmetric.NumberDataPointSlice) {
	for i := range dps.Len() {
		dp := dps.At(i)
		num, err := checkNumber(dp, ref.monotonic)
		if err != nil {
			b.invalid.add(named(ref.metric, err))
			continue
		}
		b.add(h, o, ref, at, i, dp.Attributes(), dp.StartTimestamp(), dp.Timestamp(), dp.Flags(), num, dp.Exemplars().Len() > 0)
	}
}

func (b *Batch) add(h Hasher, o *Options, ref *metricRef, at int32, index int, attrs pcommon.Map,
	start, t pcommon.Timestamp, flags pmetric.DataPointFlags, num number, exemplars bool,
) {
	p := point{
		key:       ref.key.plus(h.pointAttrs(attrs, &b.keys)),
		start:     nanos(start),
		t:         nanos(t),
		num:       num,
		metric:    at,
		index:     int32(index),
		noVal:     flags.NoRecordedValue(),
		exemplars: exemplars,
	}
	if o.IgnoreStart && !ref.delta {
		p.start = 0
	}
	b.points = append(b.points, p)
}

// nanos fits a timestamp into an int64: beyond the year 2262 it is the end of time.
func nanos(t pcommon.Timestamp) int64 {
	const most = 1<<63 - 1
	if t > most {
		return most
	}
	return int64(t)
}
