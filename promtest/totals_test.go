//go:build !race

package promtest

import (
	"context"
	"fmt"
	"testing"
	"time"

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
