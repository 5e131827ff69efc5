package speed

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/contender"
	"github.com/otelcol-workers/otelcol-workers/bench/internal/payload"
)

// BenchmarkHeap reports how many bytes of heap one more living stream takes
// when its series exists already.
func BenchmarkHeap(b *testing.B) {
	few, more := 10, 200
	if !*full {
		few, more = 2, 4
	}
	for _, c := range []cell{
		{"numbers", payload.Numbers(1000), payload.Size{}},
		{"histograms", payload.Histograms(50, 50), payload.Size{}},
		{"exponential", payload.Exponential(50), payload.Size{}},
	} {
		for _, k := range contender.Stateful() {
			b.Run(fmt.Sprintf("payload=%s/contender=%s", c.name, k.Name), func(b *testing.B) {
				var perStream float64
				for b.Loop() {
					perStream = heapPerStream(b, k, c.shape, few, more)
				}
				b.ReportMetric(perStream, "heap-B/stream")
			})
		}
	}
}

func heapPerStream(b *testing.B, k contender.Kind, shape payload.Shape, few, more int) float64 {
	f := payload.NewFleet(shape, payload.Size{Workers: more})
	c := start(b, k, f)
	for range few {
		push(b, c, f)
	}
	before := heap()
	for range more - few {
		push(b, c, f)
	}
	grown := float64(heap()) - float64(before)
	check(b, k, c, f)
	return grown / float64((more-few)*f.PushPoints())
}

// heap is what is in use after everything that can go has gone.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
