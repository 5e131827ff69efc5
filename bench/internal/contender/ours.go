package contender

import (
	"maps"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/payload"
	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain"
)

func newOurs(*payload.Fleet) (Contender, error) { return NewOurs(nil) }

// NewOurs builds the deadworkerretain processor without storage. It counts first
// values whole, as it does by default where its state is kept on disk, and does
// not flush while it is being timed; settings override that.
func NewOurs(settings map[string]any) (*Pipeline, error) {
	return NewOursOn(componenttest.NewNopHost(), settings)
}

// NewOursOn builds the deadworkerretain processor on a host with extensions.
func NewOursOn(host component.Host, settings map[string]any) (*Pipeline, error) {
	config := map[string]any{"initial_value": "keep", "flush_interval": "24h"}
	maps.Copy(config, settings)
	return NewPipeline(host, Stage{Factory: deadworkerretain.NewFactory(), Config: config})
}
