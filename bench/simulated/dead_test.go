//go:build synctest

package simulated

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/payload"
)

// TestDead lets ever more workers die unseen and reports what is still kept for
// them: at once, when their values have gone, and when nothing is left to know.
func TestDead(t *testing.T) {
	most := size(100_000, 1000)
	for dead := 10; dead <= most; dead *= 100 {
		bubble(t, fmt.Sprintf("dead=%d", dead), func(t *testing.T) { theDead(t, dead) })
	}
}

func theDead(t *testing.T, dead int) {
	before := heap()
	p := ours(t, map[string]any{"flush_interval": "5m", "stale_after": "60s"})
	f := payload.NewFleet(payload.Numbers(5), payload.Size{})
	for i := range dead {
		f.Replace()
		push(t, p, f)
		if i%100 == 99 {
			time.Sleep(time.Second)
		}
	}
	kept := func() float64 { return float64(int64(heap())-int64(before)) / 1e3 }
	time.Sleep(6 * time.Minute)
	fresh := kept()
	time.Sleep(2 * time.Hour)
	closed := kept()
	time.Sleep(26 * time.Hour)
	gone := kept()
	p.Record(true)
	assert.Empty(t, p.Totals().Diff(f.Want()))
	figure(fmt.Sprintf("Dead/dead=%d", dead), fresh, "fresh-kB", closed, "closed-kB", gone, "gone-kB")
}
