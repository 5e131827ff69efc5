//go:build synctest

package simulated

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/payload"
	"github.com/otelcol-workers/otelcol-workers/bench/internal/realtime"
	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// TestStorm lets all workers say goodbye in the same second, each with its last
// values: swan song and goodbye in one. The push before is the measure.
func TestStorm(t *testing.T) {
	bubble(t, "numbers", func(t *testing.T) {
		f := payload.NewFleet(payload.Numbers(size(1000, 100)), payload.Size{Workers: size(500, 20)})
		p := ours(t, nil)
		for range 2 * f.Round() {
			push(t, p, f)
			time.Sleep(time.Millisecond)
		}
		var pushing, leaving time.Duration
		for range f.Round() {
			pushing += timed(t, p, f.Next())
		}
		for range f.Round() {
			leaving += timed(t, p, swanSong(f))
		}
		p.Record(true)
		require.Empty(t, p.Totals().Diff(f.Want()))
		n := int64(f.Round())
		figure(fmt.Sprintf("Storm/workers=%d", f.Workers()), leaving.Nanoseconds()/n, "ns/op", pushing.Nanoseconds()/n, "push-ns/op",
			f.Series(), "points/op")
	})
}

func timed(t *testing.T, p interface {
	Prepare(pmetric.Metrics)
	Push() error
}, md pmetric.Metrics) time.Duration {
	p.Prepare(md)
	from := realtime.Now()
	err := p.Push()
	took := realtime.Now() - from
	require.NoError(t, err)
	return took
}

func swanSong(f *payload.Fleet) pmetric.Metrics {
	md := pmetric.NewMetrics()
	f.Next().CopyTo(md)
	for _, rm := range md.ResourceMetrics().All() {
		lifecycle.Signal{State: lifecycle.Terminated, Time: pcommon.NewTimestampFromTime(time.Now())}.AppendTo(rm)
	}
	return md
}
