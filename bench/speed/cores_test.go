package speed

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/contender"
	"github.com/otelcol-workers/otelcol-workers/bench/internal/payload"
)

// inARow is how many pushes each core makes between two looks at the sum.
const inARow = 64

// BenchmarkCores lets as many connections push at once as there are cores in
// use. Each makes its pushes itself, as one that decodes them does, which is not
// timed; all workers feed the same series. What is reported is the time that one
// core spends in its pushes, waiting included, by all points of that time.
// Decoding shares nothing, so its gain is what the machine has to give.
func BenchmarkCores(b *testing.B) {
	for _, name := range []string{"ours", "decode"} {
		for _, cores := range []int{1, 2} {
			b.Run(fmt.Sprintf("contender=%s/cores=%d", name, cores), func(b *testing.B) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
				do := pushers(b, name)
				all := make([]*connection, cores)
				for i := range all {
					all[i] = &connection{Fleet: payload.NewFleet(payload.Numbers(1000), payload.Size{Workers: 10})}
					all[i].Name(fmt.Sprintf("core%d", i))
				}
				atOnce(b, do, all, all[0].Round())
				var m meter
				for b.Loop() {
					m.took = append(m.took, atOnce(b, do, all, inARow)/time.Duration(cores))
				}
				m.report(b, inARow*cores*1000)
				do.check(b, all)
			})
		}
	}
}

// connection carries the pushes of some workers, one after the other.
type connection struct {
	*payload.Fleet
	took time.Duration
}

// atOnce makes some pushes of each connection, side by side, and tells the time
// that was spent in them.
func atOnce(b *testing.B, do pusher, all []*connection, pushes int) (took time.Duration) {
	var wg sync.WaitGroup
	for _, c := range all {
		wg.Go(func() {
			c.took = 0
			for range pushes {
				push := do.prepare(c.Next())
				from := time.Now()
				err := push()
				c.took += time.Since(from)
				if err != nil {
					b.Error(err)
				}
			}
		})
	}
	wg.Wait()
	for _, c := range all {
		took += c.took
	}
	return took
}

// pusher makes pushes that can run at the same time.
type pusher struct {
	prepare func(pmetric.Metrics) func() error
	check   func(*testing.B, []*connection)
}

func pushers(b *testing.B, name string) pusher {
	if name == "decode" {
		return pusher{decoding, func(*testing.B, []*connection) {}}
	}
	p, err := contender.NewOurs(nil)
	if err != nil {
		b.Fatal(err)
	}
	prepare := func(md pmetric.Metrics) func() error {
		return func() error { return p.Consume(md) }
	}
	return pusher{prepare, func(b *testing.B, all []*connection) {
		p.Record(true)
		want := payload.Totals{}
		for _, c := range all {
			for key, v := range c.Want() {
				want[key] += v
			}
		}
		if diff := p.Totals().Diff(want); diff != "" {
			b.Fatal(diff)
		}
	}}
}

func decoding(md pmetric.Metrics) func() error {
	bytes, err := new(pmetric.ProtoMarshaler).MarshalMetrics(md)
	return func() error {
		if err != nil {
			return err
		}
		_, err := new(pmetric.ProtoUnmarshaler).UnmarshalMetrics(bytes)
		return err
	}
}
