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

	"github.com/otelcol-workers/otelcol-workers/bench/internal/contender"
	"github.com/otelcol-workers/otelcol-workers/bench/internal/payload"
	"github.com/otelcol-workers/otelcol-workers/bench/internal/realtime"
)

// flushed is a fleet whose series are flushed, with the state on disk or not.
type flushed struct {
	payload string
	shape   payload.Shape
	size    payload.Size
	disk    bool
}

// TestFlush times a flush of all series, and the marshalling and a plain copy of
// the same output.
func TestFlush(t *testing.T) {
	for _, c := range []flushed{
		{"numbers", payload.Numbers(1000), payload.Size{Workers: 10}, false},
		{"numbers", payload.Numbers(1000), payload.Size{Workers: size(1000, 20)}, false},
		{"numbers", payload.Numbers(1000), payload.Size{Workers: size(200, 5), Services: size(200, 5)}, false},
		{"numbers", payload.Numbers(1000), payload.Size{Workers: size(200, 5), Services: size(200, 5)}, true},
		{"histograms", payload.Histograms(1000, 50), payload.Size{Workers: 10}, false},
		{"exponential", payload.Exponential(1000), payload.Size{Workers: 10}, false},
	} {
		name := fmt.Sprintf("payload=%s/series=%d/workers=%d", c.payload, c.shape.Points*max(c.size.Services, 1), c.size.Workers)
		if c.disk {
			name += "/storage=file"
		}
		bubble(t, name, func(t *testing.T) { c.measure(t, name) })
	}
}

// measure lets all workers push between flushes, so that all series have
// changed, and times the flushes.
func (c flushed) measure(t *testing.T, name string) {
	f := payload.NewFleet(c.shape, c.size)
	p, done := c.open(t)
	time.Sleep(time.Second) // from here on, never at the moment of a flush
	var took []time.Duration
	for range 5 {
		for range f.Round() {
			push(t, p, f)
		}
		runtime.GC()
		took = append(took, elapse(15*time.Second))
	}
	p.Record(true)
	time.Sleep(15 * time.Second)
	assert.Empty(t, p.Sink.Totals().Diff(f.Want()))
	marshal, copying := marshalling(t, p.Last()), copying(p.Last())
	require.NoError(t, p.Stop())
	done()
	flush := middle(took)
	figure("Flush/"+name, flush.Nanoseconds(), "ns/op", flush.Nanoseconds()/int64(f.Series()), "ns/series",
		marshal.Nanoseconds(), "marshal-ns/op", copying.Nanoseconds(), "copy-ns/op")
}

func (c flushed) open(t *testing.T) (*contender.Pipeline, func()) {
	settings := map[string]any{"flush_interval": "15s", "stale_after": "1h"}
	if !c.disk {
		return ours(t, settings), func() {}
	}
	disk, err := contender.NewDisk(t.TempDir())
	require.NoError(t, err)
	settings["storage"] = disk.Name()
	p, err := contender.NewOursOn(disk, settings)
	require.NoError(t, err)
	return p, func() { require.NoError(t, disk.Close()) }
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

// copying is what it takes at least to have the output in memory of its own,
// which whoever comes next may change and keep.
func copying(md pmetric.Metrics) time.Duration {
	var took []time.Duration
	for range 5 {
		runtime.GC()
		from := realtime.Now()
		md.CopyTo(pmetric.NewMetrics())
		took = append(took, realtime.Now()-from)
	}
	return middle(took)
}

func middle(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}
