package core

import (
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// Batch is a request that has been read, checked and hashed, which needs no
// access to the table. It refers to the request's memory.
type Batch struct {
	blocks  []block
	metrics []metricRef
	points  []point
	invalid invalidPoints
	// lives are those of the blocks.
	lives []*life
	identities
	keys keySeeds
	// last is the last block of a worker.
	last map[Key]int
}

// block is what one worker sends in one request.
type block struct {
	who       who
	res       pmetric.ResourceMetrics
	points    []point
	signals   []lifecycle.Signal
	badSignal error
}

// metricRef is one metric of the request and what its points have in common.
type metricRef struct {
	res       pmetric.ResourceMetrics
	scope     pmetric.ScopeMetrics
	metric    pmetric.Metric
	key       Key
	kind      kind
	agg       Aggregation
	delta     bool
	monotonic bool
}

// point is one data point, ready to be applied.
type point struct {
	key    Key
	start  int64
	t      int64
	num    number
	metric int32
	index  int32
	noVal  bool
	// exemplars says whether there are any.
	exemplars bool
}

// invalidPoints counts points that break the data model and keeps the first reason.
type invalidPoints struct {
	n     uint64
	first error
}

func (p *invalidPoints) add(err error) {
	p.n++
	if p.first == nil {
		p.first = err
	}
}

func (b *Batch) reset() {
	clear(b.blocks)
	clear(b.metrics)
	clear(b.lives)
	clear(b.last)
	b.lives = b.lives[:0]
	b.identities.reset()
	b.keys = keySeeds{}
	b.blocks, b.metrics, b.points = b.blocks[:0], b.metrics[:0], b.points[:0]
	b.invalid = invalidPoints{}
}

// exemplars of a point that has some.
func (m *metricRef) exemplars(index int32) pmetric.ExemplarSlice {
	i := int(index)
	switch m.metric.Type() {
	case pmetric.MetricTypeHistogram:
		return m.metric.Histogram().DataPoints().At(i).Exemplars()
	case pmetric.MetricTypeExponentialHistogram:
		return m.metric.ExponentialHistogram().DataPoints().At(i).Exemplars()
	default:
		return m.metric.Sum().DataPoints().At(i).Exemplars()
	}
}

func (m *metricRef) attributes(index int32) pcommon.Map {
	i := int(index)
	switch m.metric.Type() {
	case pmetric.MetricTypeSum:
		return m.metric.Sum().DataPoints().At(i).Attributes()
	case pmetric.MetricTypeGauge:
		return m.metric.Gauge().DataPoints().At(i).Attributes()
	case pmetric.MetricTypeHistogram:
		return m.metric.Histogram().DataPoints().At(i).Attributes()
	case pmetric.MetricTypeExponentialHistogram:
		return m.metric.ExponentialHistogram().DataPoints().At(i).Attributes()
	default:
		return m.metric.Summary().DataPoints().At(i).Attributes()
	}
}
