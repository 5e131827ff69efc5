package speed

import (
	"slices"
	"testing"
	"time"
)

// meter times single operations beside the benchmark's own timer. Their lower
// quartile leaves out what the rest of the machine and the garbage collector do
// in between; the mean, ns/op, has it all.
type meter struct{ took []time.Duration }

// time runs f, the only part of an iteration of b.Loop that is timed. The
// iteration stops the timer before it and starts it again behind.
func (m *meter) time(b *testing.B, f func() error) {
	b.StartTimer()
	from := time.Now()
	err := f()
	took := time.Since(from)
	b.StopTimer()
	m.took = append(m.took, took)
	if err != nil {
		b.Fatal(err)
	}
}

// report adds what the report needs to turn values per push into values per point.
func (m *meter) report(b *testing.B, points int) {
	b.ReportMetric(quartile(m.took), "quiet-ns/op")
	b.ReportMetric(float64(points), "points/op")
}

// quartile is the lower one, in nanoseconds.
func quartile(d []time.Duration) float64 {
	slices.Sort(d)
	return float64(d[len(d)/4].Nanoseconds())
}
