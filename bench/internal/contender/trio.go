package contender

import (
	"context"
	"maps"
	"slices"

	"github.com/open-telemetry/opentelemetry-collector-contrib/processor/cumulativetodeltaprocessor"
	"github.com/open-telemetry/opentelemetry-collector-contrib/processor/deltatocumulativeprocessor"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/payload"
)

func newTrio(*payload.Fleet) (Contender, error) { return NewTrio(nil, nil) }

// NewTrio builds the usual advice: cumulativetodelta per worker, strip what
// names the worker, deltatocumulative over what is left.
func NewTrio(toDelta, toCumulative map[string]any) (*Pipeline, error) {
	first := map[string]any{"initial_value": "keep", "max_staleness": "1h"}
	maps.Copy(first, toDelta)
	last := map[string]any{"max_stale": "1h"}
	maps.Copy(last, toCumulative)
	return NewPipeline(componenttest.NewNopHost(),
		Stage{Factory: cumulativetodeltaprocessor.NewFactory(), Config: first},
		Stage{Plain: func(next consumer.Metrics) consumer.Metrics { return strip{next} }},
		Stage{Factory: deltatocumulativeprocessor.NewFactory(), Config: last},
	)
}

// strip removes everything from the resource that the workers do not share. It
// does less than the resource processor would.
type strip struct{ next consumer.Metrics }

func (strip) Capabilities() consumer.Capabilities { return consumer.Capabilities{MutatesData: true} }

func (s strip) ConsumeMetrics(ctx context.Context, md pmetric.Metrics) error {
	for _, rm := range md.ResourceMetrics().All() {
		rm.Resource().Attributes().RemoveIf(func(key string, _ pcommon.Value) bool {
			return !slices.Contains(payload.GroupAttributes, key)
		})
	}
	return s.next.ConsumeMetrics(ctx, md)
}
