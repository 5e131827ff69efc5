package speed

import (
	"fmt"
	"testing"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/contender"
	"github.com/otelcol-workers/otelcol-workers/bench/internal/payload"
)

// BenchmarkGrowth pushes 1,000 points into ever more living streams.
func BenchmarkGrowth(b *testing.B) {
	sizes := []int{1, 10, 100, 1000}
	if !*full {
		sizes = []int{1, 10}
	}
	for _, workers := range sizes {
		b.Run(fmt.Sprintf("streams=%d", workers*1000), func(b *testing.B) {
			f := payload.NewFleet(payload.Numbers(1000), payload.Size{Workers: workers})
			c := start(b, contender.Ours(), f)
			for range max(2*f.Round(), 20) {
				push(b, c, f)
			}
			timePushes(b, c, f, func() {})
			check(b, contender.Ours(), c, f)
		})
	}
}
