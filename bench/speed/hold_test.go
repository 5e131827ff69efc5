package speed

import (
	"slices"
	"testing"
	"time"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/contender"
	"github.com/otelcol-workers/otelcol-workers/bench/internal/payload"
)

// BenchmarkHold pushes 1,000 points again and again while 200,000 series are
// flushed several times a second, and without any flush. It reports the median
// and the slowest push; without flushes, the slowest is the machine's doing.
func BenchmarkHold(b *testing.B) {
	services := 200
	if !*full {
		services = 5
	}
	for _, m := range []struct{ name, interval string }{{"flush=none", "24h"}, {"flush=running", "300ms"}} {
		b.Run(m.name, func(b *testing.B) {
			f := payload.NewFleet(payload.Numbers(1000), payload.Size{Workers: services, Services: services})
			p, err := contender.NewOurs(map[string]any{"flush_interval": m.interval})
			if err != nil {
				b.Fatal(err)
			}
			for range 2 * services {
				push(b, p, f)
			}
			flushes := p.Calls()
			var took []time.Duration
			for b.Loop() {
				p.Prepare(f.Next())
				from := time.Now()
				err := p.Push()
				took = append(took, time.Since(from))
				if err != nil {
					b.Fatal(err)
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2]), "median-ns")
			b.ReportMetric(float64(took[len(took)*999/1000]), "p999-ns")
			b.ReportMetric(float64(took[len(took)-1]), "slowest-ns")
			b.ReportMetric(float64(p.Calls()-flushes), "flushes")
			check(b, contender.Ours(), p, f)
		})
	}
}
