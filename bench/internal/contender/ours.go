package contender

import (
	"maps"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/payload"
	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain"
)

func newOurs(*payload.Fleet) (Contender, error) { return NewOurs(nil) }

// NewOurs builds the deadworkerretain processor. It counts first values whole,
// as it does by default where its state is kept on disk, and does not flush
// while it is being timed; settings override that.
func NewOurs(settings map[string]any) (*Pipeline, error) {
	config := map[string]any{"initial_value": "keep", "flush_interval": "24h"}
	maps.Copy(config, settings)
	return NewPipeline(Stage{Factory: deadworkerretain.NewFactory(), Config: config})
}
