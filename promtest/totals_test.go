//go:build !race

package promtest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/e2e/exposition"
	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
	"github.com/otelcol-workers/otelcol-workers/e2e/worker"
)

// cut waits until every path of ours shows what the workers have done, and the
// plain one whatever it makes of it.
func cut(t *testing.T, workers *crew, ours []*path, plain *path) worker.Totals {
	t.Helper()
	now, want := time.Now(), workers.total()
	for _, p := range ours {
		harness.Eventually(t, func(ctx context.Context) error { return p.cut(ctx, want) })
	}
	harness.Eventually(t, func(ctx context.Context) error { return plain.cutAfter(ctx, now) })
	return want
}

// folded waits until the collector has taken all dead workers for dead, and only them.
func folded(t *testing.T, workers *crew) {
	t.Helper()
	harness.Eventually(t, func(ctx context.Context) error {
		samples, err := exposition.Fetch(ctx, harness.MetricsURL(workers.collector.Addr("self")))
		if err != nil {
			return err
		}
		running := samples.Sum("otelcol_deadworkerretain_lives", map[string]string{"state": "running"})
		if running != places {
			return fmt.Errorf("%v lives are running, expected %d", running, places)
		}
		return nil
	})
}

// everySeries asks for the increase of each series over the run. With `anchored`
// PromQL takes the samples at the ends of the range as they are, so that the
// answer is the truth itself; without, it is the truth but for the stretch.
func (p *path) everySeries(t *testing.T, done worker.Totals) {
	first, last := p.cuts[0], p.cuts[len(p.cuts)-1]
	exact := worker.Totals{}
	for _, name := range counters {
		query := fmt.Sprintf("increase(%s[%s])", name, window(first, last))
		stretched := p.increases(t, last, name, query)
		for key, v := range stretched {
			assert.InDelta(t, done[key], v/stretch(first, last), done[key]*rounding, "%s: %s of %s", p.name, query, key)
		}
		exact.Add(p.increases(t, last, name, fmt.Sprintf("increase(%s[%dms] anchored)", name, last.Sub(first).Milliseconds())))
		assert.NotEmpty(t, stretched, "%s: %s", p.name, query)
	}
	assert.Empty(t, exact.Differences(done), "%s: increase(… anchored)", p.name)
}

func (p *path) increases(t *testing.T, at time.Time, name, query string) worker.Totals {
	vector, err := p.server.Vector(harness.Context(t), at, query)
	require.NoError(t, err)
	found := worker.Totals{}
	for _, s := range vector {
		labels := map[string]string{"queue": s.Metric.Get("queue")}
		if bound := s.Metric.Get("le"); bound != "" {
			labels["le"], err = canonical(bound)
			require.NoError(t, err)
		}
		found[exposition.Key(name, labels)] += s.F
	}
	return found
}

func sum(all []worker.Totals) worker.Totals {
	total := worker.Totals{}
	for _, t := range all {
		total.Add(t)
	}
	return total
}

// minus is what has been done between two totals.
func minus(after, before worker.Totals) worker.Totals {
	done := after.Clone()
	for key, v := range before {
		done[key] -= v
	}
	return done
}
