package speed

import (
	"fmt"
	"runtime"
	"sync"
	"testing"

	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/contender"
	"github.com/otelcol-workers/otelcol-workers/bench/internal/payload"
)

// inARow is how many pushes each core makes between two looks at the clock.
const inARow = 64

// BenchmarkCores lets as many workers push at once as there are cores in use.
// Decoding shares nothing, so its gain is what the machine has to give.
func BenchmarkCores(b *testing.B) {
	for _, name := range []string{"ours", "decode"} {
		for _, cores := range []int{1, 2} {
			b.Run(fmt.Sprintf("contender=%s/cores=%d", name, cores), func(b *testing.B) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
				do := pushers(b, name)
				f := payload.NewFleet(payload.Numbers(1000), payload.Size{Workers: 10 * cores})
				for range f.Round() {
					do.prepare(f.Next())(b)
				}
				var m meter
				for b.Loop() {
					b.StopTimer()
					work := make([][]func(*testing.B), cores)
					for i := range inARow * cores {
						work[i%cores] = append(work[i%cores], do.prepare(f.Next()))
					}
					m.time(b, func() error { return atOnce(b, work) })
					b.StartTimer()
				}
				m.report(b, inARow*cores*1000)
				do.check(b, f)
			})
		}
	}
}

// atOnce makes the pushes of each core one after the other, beside those of the others.
func atOnce(b *testing.B, work [][]func(*testing.B)) error {
	var wg sync.WaitGroup
	for _, mine := range work {
		wg.Go(func() {
			for _, push := range mine {
				push(b)
			}
		})
	}
	wg.Wait()
	return nil
}

// pusher makes pushes that can run at the same time.
type pusher struct {
	prepare func(pmetric.Metrics) func(*testing.B)
	check   func(*testing.B, *payload.Fleet)
}

func pushers(b *testing.B, name string) pusher {
	if name == "decode" {
		return pusher{decoding, func(*testing.B, *payload.Fleet) {}}
	}
	p, err := contender.NewOurs(nil)
	if err != nil {
		b.Fatal(err)
	}
	return pusher{
		func(md pmetric.Metrics) func(*testing.B) {
			mine := pmetric.NewMetrics()
			md.CopyTo(mine)
			return func(b *testing.B) {
				if err := p.Consume(mine); err != nil {
					b.Error(err)
				}
			}
		},
		func(b *testing.B, f *payload.Fleet) { check(b, contender.Ours(), p, f) },
	}
}

func decoding(md pmetric.Metrics) func(*testing.B) {
	bytes, err := new(pmetric.ProtoMarshaler).MarshalMetrics(md)
	return func(b *testing.B) {
		if err != nil {
			b.Error(err)
			return
		}
		if _, err := new(pmetric.ProtoUnmarshaler).UnmarshalMetrics(bytes); err != nil {
			b.Error(err)
		}
	}
}
