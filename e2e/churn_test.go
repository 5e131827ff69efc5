package e2e

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/otelcol-workers/otelcol-workers/e2e/collector"
	"github.com/otelcol-workers/otelcol-workers/e2e/exposition"
	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
)

const churnConfig = `
receivers:
  workeragg:
    protocols:
      grpc: {endpoint: '{{addr "grpc"}}'}
      http: {endpoint: '{{addr "http"}}'}
processors:
  deadworkerretain:
    stale_after: 2s
    flush_interval: 200ms
exporters:
  prometheus:
    endpoint: '{{addr "prometheus"}}'
    resource_constant_labels: {included: ["*"]}
service:
  pipelines:
    metrics: {receivers: [workeragg], processors: [deadworkerretain], exporters: [prometheus]}
  telemetry:
    metrics:
      readers:
        - pull: {exporter: {prometheus: {host: 127.0.0.1, port: {{port "self"}}}}}
`

// deaths is how many workers end in a run of TestChurn, at least.
const deaths = 100

// Workers of every identity die in every way, a hundred times; every counter
// and bucket is exact after each round, and never falls in between.
//
// CHURN_SEED chooses what happens when; the same seed, the same story.
func TestChurn(t *testing.T) {
	c := harness.Collector(t, collector.Options{Config: churnConfig})
	watch := harness.Watch(t, c.Addr("prometheus"), 100*time.Millisecond)
	seed := number(t, "CHURN_SEED", 1)
	book := newLedger()
	slots := newSlots(c, book, seed)
	for _, s := range slots {
		require.NoError(t, s.open(harness.Context(t)))
	}
	t.Cleanup(book.killAll)

	rounds := 0
	for ; book.deaths() < deaths; rounds++ {
		round, ctx := errgroup.WithContext(harness.Context(t))
		for _, s := range slots {
			round.Go(func() error { return s.act(ctx, watch) })
		}
		require.NoError(t, round.Wait(), "round %d of seed %d", rounds, seed)
		harness.Eventually(t, func(ctx context.Context) error { return book.check(ctx, c) })
	}

	// The living end too; what they counted stays.
	for _, s := range slots {
		require.NoError(t, s.close(harness.Context(t)))
	}
	harness.Eventually(t, func(ctx context.Context) error { return book.check(ctx, c) })
	harness.Eventually(t, func(ctx context.Context) error { return nobodyLeft(ctx, c) })
	flushes(t, c, 3)
	require.NoError(t, book.check(harness.Context(t), c), "the totals have moved with nobody alive")

	report := watch.Stop()
	assert.Empty(t, report.Falls)
	assert.Zero(t, report.Failed, "last error: %v", report.LastError)
	assert.Greater(t, report.Scrapes, rounds)
	t.Logf("seed %d: %d rounds, %s; %d scrapes, %d rises, %d falls", seed, rounds, book, report.Scrapes, report.Rises, len(report.Falls))
	checkSelfMetrics(t, c, book)
}

// nobodyLeft says that no worker is seen as living any more.
func nobodyLeft(ctx context.Context, c *collector.Collector) error {
	samples, err := exposition.Fetch(ctx, harness.MetricsURL(c.Addr("prometheus")))
	if err != nil {
		return err
	}
	for _, name := range []string{"workers_active", "worker_busy"} {
		if left := samples.Match(name, nil); len(left) > 0 {
			return errors.New("still shown: " + exposition.Key(left[0].Name, left[0].Labels))
		}
	}
	return nil
}

// flushes waits until the processor has sent all totals n more times.
func flushes(t *testing.T, c *collector.Collector, n float64) {
	t.Helper()
	count := func(ctx context.Context) (float64, error) {
		samples, err := exposition.Fetch(ctx, harness.MetricsURL(c.Addr("self")))
		if err != nil {
			return 0, err
		}
		return samples.One("otelcol_deadworkerretain_flush_duration_count", nil)
	}
	before, err := count(harness.Context(t))
	require.NoError(t, err)
	harness.Eventually(t, func(ctx context.Context) error {
		now, err := count(ctx)
		if err == nil && now < before+n {
			err = errors.New("no further flush")
		}
		return err
	})
}

// checkSelfMetrics compares what the processor says of itself with what was done to the workers.
func checkSelfMetrics(t *testing.T, c *collector.Collector, book *ledger) {
	samples, err := exposition.Fetch(harness.Context(t), harness.MetricsURL(c.Addr("self")))
	require.NoError(t, err)
	folds := func(reason string) float64 {
		return samples.Sum("otelcol_deadworkerretain_folds", map[string]string{"reason": reason})
	}
	assert.GreaterOrEqual(t, folds("goodbye"), float64(book.done[foldedByGoodbye]), "folds by goodbye")
	assert.GreaterOrEqual(t, folds("stale"), float64(book.done[stall]), "folds by staleness")
	returns := samples.Sum("otelcol_deadworkerretain_returns", nil)
	assert.GreaterOrEqual(t, returns, float64(book.done[returned]), "returns")
	for _, outcome := range []string{"invalid", "refused", "overflow", "dip", "baseline", "returned_late"} {
		assert.Zero(t, samples.Sum("otelcol_deadworkerretain_points", map[string]string{"outcome": outcome}), outcome)
	}
}

func newRand(seed uint64, slot int) *rand.Rand { return rand.New(rand.NewPCG(seed, uint64(slot))) }
