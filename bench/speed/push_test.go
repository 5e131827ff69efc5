package speed

import (
	"testing"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/contender"
	"github.com/otelcol-workers/otelcol-workers/bench/internal/payload"
)

// BenchmarkSteady pushes what every worker has pushed before, with later times
// and higher values.
func BenchmarkSteady(b *testing.B) {
	eachCell(b, contender.Kinds(), func(b *testing.B, k contender.Kind, f *payload.Fleet) {
		c := start(b, k, f)
		if k.Stateful {
			for range 2 * f.Round() {
				push(b, c, f)
			}
		}
		timePushes(b, c, f, func() {})
		check(b, k, c, f)
	})
}

// BenchmarkFirst pushes what no worker has pushed before: every push comes from
// workers that are new.
func BenchmarkFirst(b *testing.B) {
	for _, c := range cells() {
		if c.size.Workers > 1 && *full {
			continue
		}
		for _, k := range contender.Stateful() {
			b.Run("payload="+c.name+"/contender="+k.Name, func(b *testing.B) {
				f := payload.NewFleet(c.shape, payload.Size{})
				c := start(b, k, f)
				push(b, c, f) // the series exist; only the worker is new
				timePushes(b, c, f, f.Replace)
				check(b, k, c, f)
			})
		}
	}
}

// timePushes times pushes and neither their making nor what comes before each.
func timePushes(b *testing.B, c contender.Contender, f *payload.Fleet, before func()) {
	var m meter
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		before()
		c.Prepare(f.Next())
		m.time(b, c.Push)
		b.StartTimer()
	}
	m.report(b, f.PushPoints())
}
