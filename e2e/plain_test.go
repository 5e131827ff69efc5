package e2e

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/otelcol-workers/otelcol-workers/e2e/collector"
	"github.com/otelcol-workers/otelcol-workers/e2e/fleet"
	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
	"github.com/otelcol-workers/otelcol-workers/e2e/monotone"
)

const plainConfig = `
receivers:
  otlp:
    protocols:
      grpc: {endpoint: '{{addr "otlp"}}'}
exporters:
  prometheus: {endpoint: '{{addr "prometheus"}}'}
service:
  pipelines:
    metrics: {receivers: [otlp], exporters: [prometheus]}
  telemetry:
    metrics: {level: none}
`

// Without us: the saw-tooth that this project is about. It also shows that the
// watcher sees a fall when there is one.
func TestPlainPipelineFalls(t *testing.T) {
	c := harness.Collector(t, collector.Options{Config: plainConfig})
	watch := harness.Watch(t, c.Addr("prometheus"), 50*time.Millisecond)
	ctx := harness.Context(t)

	start := func(name string) *fleet.Worker {
		return harness.Worker(t, fleet.Options{Name: name, GRPC: c.Addr("otlp"), Service: "shop"})
	}
	shows := func(want float64) {
		t.Helper()
		harness.Eventually(t, func(context.Context) error {
			got := watch.Last().Sum("jobs_done_total", map[string]string{"job": "shop"})
			if got != want {
				return fmt.Errorf("jobs_done_total is %v, expected %v", got, want)
			}
			return nil
		})
	}

	first, second := start("first"), start("second")
	harness.Must(t, first.Work(ctx, "mail", 0.25, 0.25, 4))
	harness.Must(t, first.Push(ctx))
	shows(3)
	harness.Must(t, second.Work(ctx, "mail", 1))
	harness.Must(t, second.Push(ctx))
	shows(1) // of 4

	fell := slices.ContainsFunc(watch.Stop().Falls, func(f monotone.Fall) bool {
		return strings.HasPrefix(f.Sample, "jobs_done_total{") && f.From == 3 && f.To == 1
	})
	assert.True(t, fell, "the fall from 3 to 1 was not seen")
}
