//go:build !race

package promtest

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
	"github.com/otelcol-workers/otelcol-workers/e2e/worker"
)

// rounds is how often something happens to every worker: each way of dying
// comes to each place.
const rounds = 5

// Workers die, and the collector once, while four Prometheus take in what the collector makes of it: by
// scrape, by remote write and by OTLP, once with start times. A fifth scrapes
// the plain pipeline.
func TestPrometheus(t *testing.T) {
	if testing.Short() {
		t.Skip("needs the built collector")
	}
	ours, plain, c := prometheuses(t)
	workers, err := hire(harness.Context(t), c, plain)
	require.NoError(t, err)
	t.Cleanup(workers.killAll)

	var done []worker.Totals
	before := cut(t, workers, ours, plain)
	for n := range rounds {
		if n == rounds/2 {
			require.NoError(t, c.Kill())
			require.NoError(t, c.Restart(harness.Context(t)))
		}
		require.NoError(t, workers.round(harness.Context(t), n), "round %d", n)
		after := cut(t, workers, ours, plain)
		done = append(done, minus(after, before))
		before = after
	}
	// The last round ends when all who died have been folded: that moves nothing.
	folded(t, workers)
	last := len(ours[0].cuts) - 1
	for _, p := range append(ours, plain) {
		p.cuts = p.cuts[:last]
	}
	cut(t, workers, ours, plain)

	var all []figures
	for _, p := range append(ours, plain) {
		f, err := p.measure(harness.Context(t), done)
		require.NoError(t, err, p.name)
		all = append(all, f)
	}
	t.Logf("%v\n%s", workers.deaths, table(all))

	for i, p := range ours {
		f := all[i]
		assert.InEpsilon(t, f.truth, f.increase, rounding, "%s: increase()", p.name)
		assert.Zero(t, f.resets, "%s: resets()", p.name)
		assert.Zero(t, f.spikes, "%s: spikes of rate(), the highest %v times the truth", p.name, f.worst)
		assert.GreaterOrEqual(t, f.rates, rounds, "%s: rates", p.name)
		assert.Zero(t, f.astray, "%s: quantiles that are not in their bucket, of %d", p.name, f.quantiles)
		p.everySeries(t, sum(done))
		if p.starts {
			p.fromBirth(t, before)
		} else {
			p.anchored(t, sum(done)) // PromQL cannot do both
		}
	}
	// The measure must be able to see what it denies.
	f := all[len(ours)]
	assert.NotZero(t, f.resets, "resets of the plain pipeline")
	assert.NotZero(t, f.spikes, "spikes of the plain pipeline")
	assert.Greater(t, math.Abs(f.increase-f.truth), 0.01*f.truth, "error of increase() of the plain pipeline")
}
