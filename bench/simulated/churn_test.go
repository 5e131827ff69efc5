//go:build synctest

package simulated

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/contender"
	"github.com/otelcol-workers/otelcol-workers/bench/internal/payload"
	"github.com/otelcol-workers/otelcol-workers/bench/internal/realtime"
)

// TestChurn lets 100 workers push every 10 seconds and replaces all of them
// every minute. What is timed is everything: pushes, deaths and flushes.
func TestChurn(t *testing.T) {
	const workers = 100
	minutes := size(5, 2)
	for _, k := range contender.Stateful() {
		bubble(t, k.Name, func(t *testing.T) {
			f := payload.NewFleet(payload.Numbers(size(200, 20)), payload.Size{Workers: workers})
			c := churning(t, k.Name)
			var wall time.Duration
			for range minutes {
				f.Replace()
				for range 6 * workers {
					c.Prepare(f.Next())
					from := realtime.Now()
					require.NoError(t, c.Push())
					time.Sleep(10 * time.Second / workers)
					wall += realtime.Now() - from
				}
			}
			points := minutes * 6 * f.Streams()
			c.Record(true)
			push(t, c, f)
			kept := float64(heap()) / 1e6
			diff := c.Totals().Diff(f.Want())
			if k.Name == "ours" {
				require.Empty(t, diff)
			}
			if diff == "" {
				diff = "all right"
			}
			t.Logf("%s: %s", k.Name, diff)
			figure("Churn/contender="+k.Name, float64(wall.Nanoseconds())/float64(points), "ns/point",
				kept, "heap-MB")
		})
	}
}

// churning builds a contender that flushes and forgets in good time.
func churning(t *testing.T, name string) contender.Contender {
	var c contender.Contender
	var err error
	switch name {
	case "ours":
		c, err = contender.NewOurs(map[string]any{"flush_interval": "15s"})
	case "trio":
		c, err = contender.NewTrio(map[string]any{"max_staleness": "2m"}, map[string]any{"max_stale": "5m"})
	default:
		c, err = contender.NewStreamaggr("interval: 15s, staleness_interval: 2m, ignore_first_sample_interval: 0s")
	}
	require.NoError(t, err)
	return c
}
