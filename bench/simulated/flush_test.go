//go:build synctest

package simulated

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/payload"
	"github.com/otelcol-workers/otelcol-workers/bench/internal/realtime"
)

// TestFlush times a flush of all series and the marshalling of the same output.
func TestFlush(t *testing.T) {
	for _, c := range []struct {
		payload string
		shape   payload.Shape
		size    payload.Size
	}{
		{"numbers", payload.Numbers(1000), payload.Size{Workers: 10}},
		{"numbers", payload.Numbers(1000), payload.Size{Workers: size(1000, 20)}},
		{"numbers", payload.Numbers(1000), payload.Size{Workers: size(200, 5), Services: size(200, 5)}},
		{"histograms", payload.Histograms(1000, 50), payload.Size{Workers: 10}},
		{"exponential", payload.Exponential(1000), payload.Size{Workers: 10}},
	} {
		f := payload.NewFleet(c.shape, c.size)
		name := fmt.Sprintf("payload=%s/series=%d/workers=%d", c.payload, f.Series(), f.Workers())
		bubble(t, name, func(t *testing.T) {
			f := payload.NewFleet(c.shape, c.size)
			p := ours(t, map[string]any{"flush_interval": "15s", "stale_after": "1h"})
			for range f.Round() {
				push(t, p, f)
			}
			var took []time.Duration
			for range 5 {
				runtime.GC()
				took = append(took, elapse(15*time.Second))
			}
			p.Record(true)
			time.Sleep(15 * time.Second)
			assert.Empty(t, p.Sink.Totals().Diff(f.Want()))
			marshal := marshalling(t, p.Last())
			require.NoError(t, p.Stop())
			flush := middle(took)
			figure("Flush/"+name, flush.Nanoseconds(), "ns/op", flush.Nanoseconds()/int64(f.Series()), "ns/series",
				marshal.Nanoseconds(), "marshal-ns/op")
		})
	}
}

func marshalling(t *testing.T, md pmetric.Metrics) time.Duration {
	var took []time.Duration
	for range 5 {
		runtime.GC()
		from := realtime.Now()
		_, err := new(pmetric.ProtoMarshaler).MarshalMetrics(md)
		took = append(took, realtime.Now()-from)
		require.NoError(t, err)
	}
	return middle(took)
}

func middle(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}
