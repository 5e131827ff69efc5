package core

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"pgregory.net/rapid"
)

// TestGoesOnIsAShortcut gives the same points of one histogram to two tables, of
// which one always goes the long way: both answer alike and end up alike.
func TestGoesOnIsAShortcut(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		for range 15 {
			goOnBothWays(rt)
		}
	})
}

func goOnBothWays(rt *rapid.T) {
	short, long := newRig(testOptions()), newRig(testOptions())
	if rarely(rt, "hardly any room") {
		neighbour := nearlyFull(rapid.Uint64Range(0, 20).Draw(rt, "room"), short.now)
		short.apply(neighbour)
		long.apply(neighbour)
	}
	from := &crooked{counts: []uint64{0, 0, 0}, bounds: []float64{1, 3}}
	for range rapid.IntRange(1, 30).Draw(rt, "points") {
		if rarely(rt, "pause") {
			pause := rapid.SampledFrom([]time.Duration{time.Second, 2 * time.Minute}).Draw(rt, "for")
			same(rt, "output", long.pause(pause), short.pause(pause))
		}
		md := from.request(rt, short.now)
		long.forbidShortcuts()
		want, got := long.apply(md), short.apply(md)
		same(rt, "answer", fmt.Sprint(want.Counts, want.Err), fmt.Sprint(got.Counts, got.Err))
		same(rt, "table", long.table.dump(false), short.table.dump(false))
	}
}

func same(t *rapid.T, what, long, short string) {
	if long != short {
		t.Fatalf("the shortcut leads to another %s:\n%s", what, difference(long, short))
	}
}

// pause is what a table puts out after some time.
func (r *rig) pause(d time.Duration) string {
	r.wait(d)
	r.sweep()
	return outputText(r.flush().Metrics())
}

// forbidShortcuts makes all streams such as have something out of the ordinary: a
// dip of a run that there is not.
func (r *rig) forbidShortcuts() {
	for _, l := range r.table.lifeSlots.all {
		if l != nil {
			for i := range l.streams {
				if d := &l.streams[i].extend().dip; !d.active {
					*d = dip{active: true, start: -1}
				}
			}
		}
	}
}

// crooked is a histogram that mostly grows, and sometimes does what none should.
type crooked struct {
	counts []uint64
	bounds []float64
	start  int64
}

func (c *crooked) request(t *rapid.T, now Instant) pmetric.Metrics {
	md := pmetric.NewMetrics()
	rm := md.ResourceMetrics().AppendEmpty()
	rm.Resource().Attributes().PutStr("worker.id", "a")
	m := rm.ScopeMetrics().AppendEmpty().Metrics().AppendEmpty()
	m.SetName("hist")
	h := m.SetEmptyHistogram()
	h.SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
	if rarely(t, "delta") {
		h.SetAggregationTemporality(pmetric.AggregationTemporalityDelta)
	}
	if rarely(t, "other start") {
		c.start = rapid.SampledFrom([]int64{0, origin - 5, origin - 9}).Draw(t, "start")
	}
	if rarely(t, "other bounds") {
		c.bounds = rapid.SampledFrom([][]float64{{1, 3}, {1, 4}, {1, 3, 7}, {}, {3, 1}}).Draw(t, "bounds")
		c.counts = append(slices.Clone(c.counts), 0, 0, 0)[:len(c.bounds)+1]
	}
	dp := h.DataPoints().AppendEmpty()
	dp.SetStartTimestamp(pcommon.Timestamp(c.start))
	at := now.Wall + rapid.Int64Range(-2, 3).Draw(t, "time")
	if rarely(t, "late") {
		at = origin - 1
	}
	dp.SetTimestamp(pcommon.Timestamp(at))
	if rapid.Bool().Draw(t, "exemplar") {
		e := dp.Exemplars().AppendEmpty()
		e.SetTimestamp(dp.Timestamp())
		e.SetIntValue(1)
	}
	c.grow(t)
	dp.BucketCounts().FromRaw(c.counts)
	dp.ExplicitBounds().FromRaw(c.bounds)
	for _, n := range c.counts {
		dp.SetCount(dp.Count() + n)
	}
	if rarely(t, "wrong count") {
		dp.SetCount(dp.Count() + 1)
	}
	if !rarely(t, "no sum") {
		dp.SetSum(rapid.Float64Range(-1, 9).Draw(t, "sum"))
		dp.SetMin(rapid.Float64Range(-1, 1).Draw(t, "min"))
		dp.SetMax(rapid.Float64Range(1, 9).Draw(t, "max"))
	}
	return md
}

func (c *crooked) grow(t *rapid.T) {
	c.counts = slices.Clone(c.counts)
	for i := range c.counts {
		c.counts[i] += rapid.Uint64Range(0, 2).Draw(t, "more")
	}
	if rarely(t, "odd bucket") {
		c.counts[rapid.IntRange(0, len(c.counts)-1).Draw(t, "bucket")] = rapid.SampledFrom(
			[]uint64{0, 1, 2, 1 << 49, 1 << 50, 1 << 63, math.MaxUint64 - 1}).Draw(t, "count")
	}
}

// nearlyFull is another worker's push to the same series, whose count has room for
// only some more then.
func nearlyFull(room uint64, now Instant) pmetric.Metrics {
	md := pmetric.NewMetrics()
	rm := md.ResourceMetrics().AppendEmpty()
	rm.Resource().Attributes().PutStr("worker.id", "b")
	m := rm.ScopeMetrics().AppendEmpty().Metrics().AppendEmpty()
	m.SetName("hist")
	m.SetEmptyHistogram().SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
	dp := m.Histogram().DataPoints().AppendEmpty()
	dp.SetTimestamp(pcommon.Timestamp(now.Wall))
	dp.ExplicitBounds().FromRaw([]float64{1, 3})
	dp.BucketCounts().FromRaw([]uint64{math.MaxUint64 - room, 0, 0})
	dp.SetCount(math.MaxUint64 - room)
	return md
}

func rarely(t *rapid.T, what string) bool { return rapid.IntRange(0, 9).Draw(t, what) == 0 }
