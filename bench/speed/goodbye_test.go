package speed

import (
	"fmt"
	"testing"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/contender"
	"github.com/otelcol-workers/otelcol-workers/bench/internal/payload"
	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// BenchmarkGoodbye lets a worker with 1,000 streams push, push again and say
// goodbye while others live. The goodbye is what is timed; push-ns/op is what
// the push before it cost.
func BenchmarkGoodbye(b *testing.B) {
	others := []int{0, 10, 100, 1000}
	if !*full {
		others = []int{0, 5}
	}
	for _, n := range others {
		b.Run(fmt.Sprintf("others=%d", n), func(b *testing.B) {
			shape := payload.Numbers(1000)
			c := start(b, contender.Ours(), nil)
			crowd := payload.NewFleet(shape, payload.Size{Workers: max(n, 1)})
			for range n {
				push(b, c, crowd)
			}
			one := payload.NewFleet(shape, payload.Size{})
			one.Name("leaver")
			sayGoodbyes(b, c, one)
			c.Record(true)
			want := one.Want()
			if n > 0 {
				for key, v := range crowd.Want() {
					want[key] += v
				}
			}
			if diff := c.Totals().Diff(want); diff != "" {
				b.Fatal(diff)
			}
		})
	}
}

func sayGoodbyes(b *testing.B, c contender.Contender, one *payload.Fleet) {
	var leaving meter
	var pushing []time.Duration
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		one.Replace()
		push(b, c, one)
		c.Prepare(one.Next())
		from := time.Now()
		err := c.Push()
		pushing = append(pushing, time.Since(from))
		if err != nil {
			b.Fatal(err)
		}
		c.Prepare(goodbye(one))
		leaving.time(b, c.Push)
		b.StartTimer()
	}
	b.ReportMetric(quartile(pushing), "quiet-push-ns/op")
	leaving.report(b, one.PushPoints())
}

// goodbye is the signal that ends the life of the worker that pushed last.
func goodbye(f *payload.Fleet) pmetric.Metrics {
	md := pmetric.NewMetrics()
	rm := md.ResourceMetrics().AppendEmpty()
	f.Resource().CopyTo(rm.Resource())
	lifecycle.Signal{State: lifecycle.Terminated, Time: pcommon.NewTimestampFromTime(time.Now())}.AppendTo(rm)
	return md
}
