package speed

import (
	"testing"
	"time"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/realtime"
)

// meter adds up the processor time between begin and end, on all cores: what
// the garbage collector does meanwhile is part of the price.
type meter struct{ from, total time.Duration }

func (m *meter) begin() { m.from = realtime.CPU() }
func (m *meter) end()   { m.total += realtime.CPU() - m.from }

// report adds what the report needs to turn values per push into values per point.
func (m *meter) report(b *testing.B, points int) {
	b.ReportMetric(float64(m.total.Nanoseconds())/float64(b.N), "cpu-ns/op")
	b.ReportMetric(float64(points), "points/op")
}
