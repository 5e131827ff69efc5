package e2e

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/otelcol-workers/otelcol-workers/e2e/collector"
	"github.com/otelcol-workers/otelcol-workers/e2e/exposition"
	"github.com/otelcol-workers/otelcol-workers/e2e/fleet"
	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
	"github.com/otelcol-workers/otelcol-workers/e2e/worker"
)

// The workers' own books agree with what a stock collector sees of one worker:
// what was pushed, not what was counted, and all of it after a goodbye.
func TestWorkerKnowsWhatItPushed(t *testing.T) {
	c := harness.Collector(t, collector.Options{Config: plainConfig})
	ctx := harness.Context(t)
	w := harness.Worker(t, fleet.Options{Name: "one", GRPC: c.Addr("otlp"), Service: "shop"})
	seen := func(want worker.Totals) {
		t.Helper()
		harness.Eventually(t, func(ctx context.Context) error {
			samples, err := exposition.Fetch(ctx, harness.MetricsURL(c.Addr("prometheus")))
			if err != nil {
				return err
			}
			if wrong := worker.Seen(samples, map[string]string{"job": "shop"}).Differences(want); len(wrong) > 0 {
				return errors.New(strings.Join(wrong, "\n"))
			}
			return nil
		})
	}

	harness.Must(t, w.Work(ctx, "mail", 0.125, 0.25, 8, 100))
	harness.Must(t, w.Work(ctx, "web", 2))
	harness.Must(t, w.Push(ctx))
	assert.Equal(t, 5.0, w.Pushed().Jobs())
	seen(w.Pushed())

	harness.Must(t, w.Work(ctx, "web", 3, 4))
	assert.Equal(t, 5.0, w.Pushed().Jobs())
	assert.Equal(t, 7.0, w.Counted().Jobs())
	seen(w.Pushed())

	harness.Must(t, w.Goodbye(ctx))
	assert.Equal(t, w.Counted(), w.Pushed())
	seen(w.Counted())
	assert.Error(t, w.Push(ctx), "it has ended")
}
