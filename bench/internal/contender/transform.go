package contender

import (
	"github.com/open-telemetry/opentelemetry-collector-contrib/processor/metricstransformprocessor"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/payload"
)

// transform is the metricstransform processor. It aggregates over point
// attributes, so the worker's name is moved to the points beforehand.
type transform struct{ *Pipeline }

func newTransform(f *payload.Fleet) (Contender, error) {
	p, err := NewTransform(f.Labels())
	return transform{p}, err
}

// NewTransform builds a metricstransform processor that keeps only the given
// point attributes and sums what falls together.
func NewTransform(labels []string) (*Pipeline, error) {
	return NewPipeline(componenttest.NewNopHost(), Stage{
		Factory: metricstransformprocessor.NewFactory(),
		Config: map[string]any{"transforms": []any{map[string]any{
			"include": ".*", "match_type": "regexp", "action": "update",
			"operations": []any{map[string]any{"action": "aggregate_labels", "aggregation_type": "sum", "label_set": labels}},
		}}},
	})
}

func (t transform) Prepare(md pmetric.Metrics) {
	t.Pipeline.Prepare(md)
	payload.Metrics(t.work, func(rm pmetric.ResourceMetrics, _ pmetric.ScopeMetrics, m pmetric.Metric) {
		id, _ := rm.Resource().Attributes().Get(payload.WorkerAttribute)
		payload.Attributes(m, func(attrs pcommon.Map) { attrs.PutStr(payload.WorkerAttribute, id.Str()) })
	})
}
