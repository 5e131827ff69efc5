//go:build !race

package promtest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/e2e/exposition"
	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
	"github.com/otelcol-workers/otelcol-workers/e2e/worker"
)

// everySeries asks for the increase of each series over the run.
func (p *path) everySeries(t *testing.T, done worker.Totals) {
	first, last := p.cuts[0], p.cuts[len(p.cuts)-1]
	for _, name := range counters {
		query := fmt.Sprintf("increase(%s[%s])", name, window(first, last))
		stretched := p.increases(t, last, name, query)
		assert.NotEmpty(t, stretched, "%s: %s", p.name, query)
		for key, v := range stretched {
			assert.InDelta(t, done[key], v/stretch(first, last), done[key]*rounding, "%s: %s of %s", p.name, query, key)
		}
	}
}

// anchored asks as well, with PromQL's word for taking the samples at the ends
// of the range as they are. The answer is the truth to the last bit.
func (p *path) anchored(t *testing.T, done worker.Totals) {
	first, last := p.cuts[0], p.cuts[len(p.cuts)-1]
	exact := worker.Totals{}
	for _, name := range counters {
		exact.Add(p.increases(t, last, name, fmt.Sprintf("increase(%s[%dms] anchored)", name, last.Sub(first).Milliseconds())))
	}
	assert.Empty(t, exact.Differences(done), "%s: increase(… anchored)", p.name)
}

// fromBirth asks for the increase over a range that begins before the series
// did. Who goes by start times sees them begin at zero, and so the whole total.
func (p *path) fromBirth(t *testing.T, all worker.Totals) {
	last := p.cuts[len(p.cuts)-1]
	whole := worker.Totals{}
	for _, name := range counters {
		whole.Add(p.increases(t, last, name, fmt.Sprintf("increase(%s[%dms])", name, time.Hour.Milliseconds())))
	}
	assert.Empty(t, whole.Differences(all), "%s: increase() from before the first push", p.name)
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
