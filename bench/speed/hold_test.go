package speed

import (
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/contender"
	"github.com/otelcol-workers/otelcol-workers/bench/internal/payload"
)

// BenchmarkHold pushes 1,000 points again and again while 200,000 series are
// flushed several times a second, and without any flush. It reports the median
// and the slowest push. Without flushes the slowest is the machine's doing;
// without garbage collection it shows how long a flush itself holds a push up.
func BenchmarkHold(b *testing.B) {
	services := 200
	if !*full {
		services = 5
	}
	for _, m := range []struct {
		name, interval string
		disk           bool
		// gc is as for [debug.SetGCPercent].
		gc int
	}{
		{"flush=none", "24h", false, 100},
		{"flush=running", "300ms", false, 100},
		{"flush=running/gc=off", "300ms", false, -1},
		{"flush=running/storage=file", "300ms", true, 100},
		{"flush=running/storage=file/gc=off", "300ms", true, -1},
	} {
		b.Run(m.name, func(b *testing.B) {
			f := payload.NewFleet(payload.Numbers(1000), payload.Size{Workers: services, Services: services})
			p, done := holding(b, m.interval, m.disk)
			defer done()
			for range 2 * services {
				push(b, p, f)
			}
			defer debug.SetGCPercent(debug.SetGCPercent(m.gc))
			flushes := p.Calls()
			var took []time.Duration
			for b.Loop() {
				md := f.Next()
				from := time.Now()
				err := p.Consume(md)
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

func holding(b *testing.B, interval string, onDisk bool) (*contender.Pipeline, func()) {
	settings := map[string]any{"flush_interval": interval}
	if !onDisk {
		p, err := contender.NewOurs(settings)
		if err != nil {
			b.Fatal(err)
		}
		return p, func() {}
	}
	disk, err := contender.NewDisk(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	settings["storage"] = disk.Name()
	p, err := contender.NewOursOn(disk, settings)
	if err != nil {
		b.Fatal(err)
	}
	return p, func() {
		if err := disk.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
