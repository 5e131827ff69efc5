package core

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"pgregory.net/rapid"
)

// TestRestoredTableGoesOn has a table live on beside one that was restored from
// its state: whatever comes then, both answer alike and put out alike.
func TestRestoredTableGoesOn(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		h := newHistory(rt)
		h.opt.RetainedTTL = 0
		before, after := h.actions(), rapid.IntRange(1, 15).Draw(rt, "actions after")
		rt.Repeat(before)
		h.end(rt)
		h.flush()
		h.table.forgetWhatMayBeForgotten(h.now)
		table, err := Restore(h.opt, h.disk.get, h.now)
		if err != nil {
			rt.Fatalf("the state cannot be read: %v", err)
		}
		twin := &rig{opt: h.opt, table: table, disk: disk{}, next: table.Journal(), now: h.now}
		for range after {
			h.both(rt, twin)
			if want, got := h.table.dump(false), twin.table.dump(false); want != got {
				rt.Fatalf("the restored table went another way:\n%s", difference(want, got))
			}
		}
	})
}

// both does the same to two tables and compares what comes out.
func (h *history) both(t *rapid.T, twin *rig) {
	switch rapid.IntRange(0, 5).Draw(t, "then") {
	case 0:
		h.actions()[rapid.SampledFrom([]string{"worker", "wait", "stall"}).Draw(t, "action")](t)
		twin.now = h.now
	case 1:
		h.sweep()
		twin.sweep()
		if want, got := outputText(h.flush().Metrics()), outputText(twin.flush().Metrics()); want != got {
			t.Fatalf("the restored table puts out something else:\n%s", difference(want, got))
		}
	default:
		md := h.signalOrData(t)
		want, got := h.apply(md), twin.apply(md)
		if fmt.Sprint(want.Counts, want.Err) != fmt.Sprint(got.Counts, got.Err) {
			t.Fatalf("the restored table answers something else:\n- %v %v\n+ %v %v", want.Counts, want.Err, got.Counts, got.Err)
		}
	}
}

func (h *history) signalOrData(t *rapid.T) pmetric.Metrics {
	switch rapid.IntRange(0, 3).Draw(t, "what") {
	case 0:
		return h.signal(t)
	case 1:
		if len(h.sent) > 0 {
			return rapid.SampledFrom(h.sent).Draw(t, "sent")
		}
	}
	return h.some(t).request(t, h.now)
}

// forgetWhatMayBeForgotten makes a table forget what no state holds, and the
// order of what has none.
func (t *Table) forgetWhatMayBeForgotten(now Instant) {
	t.starts = map[startKey]*life{}
	t.ended = nil
	t.slots.fill(t.slots.all)
	t.familySlots.fill(t.familySlots.all)
	t.lifeSlots.fill(t.lifeSlots.all)
	slices.SortFunc(t.living, func(a, b *life) int { return int(a.slot) - int(b.slot) })
	for i, l := range t.living {
		l.place = i
	}
	for _, l := range t.lifeSlots.all {
		if l == nil {
			continue
		}
		l.gaps, l.born, l.seen, l.swept = gaps{}, now.Mono-int64(mostStale), now.Mono, now.Mono
		l.early, l.dips, l.announced, l.eventful = 0, 0, announcements{}, true
		l.identity.warned = false
		if !l.alive() {
			keep := t.opt.AfterStaleness
			if l.death.reason == Goodbye {
				keep = t.opt.AfterGoodbye
			}
			l.death.at, l.death.until = now.Mono, now.Mono+int64(keep)
		}
		for i := range l.streams {
			l.streams[i].forget(now)
		}
		for _, lv := range l.levels {
			lv.early = 0
		}
	}
	for _, s := range t.series {
		s.exemplars, s.shown = nil, s.flushed && s.used
		slices.SortFunc(s.members, func(a, b *level) int {
			if a.life != b.life {
				return int(a.life.slot) - int(b.life.slot)
			}
			return slices.Index(a.life.levels, a) - slices.Index(b.life.levels, b)
		})
		for i, lv := range s.members {
			lv.place = i
		}
	}
}

func (s *stream) forget(now Instant) {
	for r := range s.runs {
		r.seen = seconds(now.Mono)
	}
	if s.ext != nil {
		s.ext.dip, s.ext.moves, s.ext.fell = dip{}, 0, 0
	}
}

// outputText is an output, a line for each point, in an order of its own.
func outputText(md pmetric.Metrics) string {
	var lines []string
	for _, rm := range md.ResourceMetrics().All() {
		for _, sm := range rm.ScopeMetrics().All() {
			for _, m := range sm.Metrics().All() {
				head := fmt.Sprintf("{%s} %s %s %s", text(rm.Resource().Attributes()), sm.Scope().Name(), m.Name(), m.Type())
				for _, p := range pointTexts(m) {
					lines = append(lines, head+" "+p)
				}
			}
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func pointTexts(m pmetric.Metric) (points []string) {
	add := func(attrs pcommon.Map, start, at pcommon.Timestamp, flags pmetric.DataPointFlags, exemplars int, value ...any) {
		points = append(points, fmt.Sprintf("{%s} %d..%d ended=%v exemplars=%d %v", text(attrs), start, at, flags.NoRecordedValue(), exemplars, value))
	}
	number := func(s pmetric.NumberDataPointSlice) {
		for _, p := range s.All() {
			add(p.Attributes(), p.StartTimestamp(), p.Timestamp(), p.Flags(), p.Exemplars().Len(), p.ValueType(), p.IntValue(), p.DoubleValue())
		}
	}
	switch m.Type() {
	case pmetric.MetricTypeSum:
		number(m.Sum().DataPoints())
	case pmetric.MetricTypeGauge:
		number(m.Gauge().DataPoints())
	case pmetric.MetricTypeHistogram:
		for _, p := range m.Histogram().DataPoints().All() {
			add(p.Attributes(), p.StartTimestamp(), p.Timestamp(), p.Flags(), p.Exemplars().Len(), p.Count(), p.HasSum(), p.Sum(),
				p.HasMin(), p.Min(), p.HasMax(), p.Max(), p.ExplicitBounds().AsRaw(), p.BucketCounts().AsRaw())
		}
	case pmetric.MetricTypeExponentialHistogram:
		for _, p := range m.ExponentialHistogram().DataPoints().All() {
			add(p.Attributes(), p.StartTimestamp(), p.Timestamp(), p.Flags(), p.Exemplars().Len(), p.Count(), p.HasSum(), p.Sum(),
				p.Scale(), p.ZeroCount(), p.ZeroThreshold(), p.Positive().Offset(), p.Positive().BucketCounts().AsRaw(),
				p.Negative().Offset(), p.Negative().BucketCounts().AsRaw())
		}
	case pmetric.MetricTypeSummary:
		for _, p := range m.Summary().DataPoints().All() {
			add(p.Attributes(), p.StartTimestamp(), p.Timestamp(), p.Flags(), 0, p.Count(), p.Sum())
		}
	}
	return points
}
