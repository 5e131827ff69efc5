package core

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// blocks is a request of n resources with a counter each, changed as the test wants.
func blocks(n int, change func(i int, worker pcommon.Map, dp pmetric.NumberDataPoint)) pmetric.Metrics {
	md := pmetric.NewMetrics()
	for i := range n {
		rm := md.ResourceMetrics().AppendEmpty()
		rm.Resource().Attributes().PutStr("service.name", "shop")
		m := rm.ScopeMetrics().AppendEmpty().Metrics().AppendEmpty()
		m.SetName("c")
		m.SetEmptySum().SetIsMonotonic(true)
		m.Sum().SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
		dp := m.Sum().DataPoints().AppendEmpty()
		dp.SetStartTimestamp(pcommon.Timestamp(origin))
		dp.SetTimestamp(pcommon.Timestamp(origin + 1e6 + int64(i)))
		dp.SetIntValue(1)
		change(i, rm.Resource().Attributes(), dp)
	}
	return md
}

// TestCostFollowsTheSizeOfARequest has requests of many resources, lives, runs and
// layouts, built so that each must be compared with all before it. Four times the
// request may take about four times as long; it would take sixteen times as long
// if everything were compared with everything.
func TestCostFollowsTheSizeOfARequest(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name, change := range map[string]func(i int, worker pcommon.Map, dp pmetric.NumberDataPoint){
		"workers": func(i int, w pcommon.Map, _ pmetric.NumberDataPoint) { w.PutStr("worker.id", strconv.Itoa(i)) },
		"resources of one worker": func(i int, w pcommon.Map, dp pmetric.NumberDataPoint) {
			w.PutStr("worker.id", "a")
			dp.SetIntValue(int64(i))
		},
		"lives of one identity": func(i int, w pcommon.Map, _ pmetric.NumberDataPoint) {
			w.PutStr("worker.id", "a")
			w.PutStr("worker.incarnation", strconv.Itoa(i))
		},
		"lives that might be one another": func(i int, w pcommon.Map, dp pmetric.NumberDataPoint) {
			w.PutStr("worker.id", "a")
			w.PutStr([]string{"worker.incarnation", "process.pid"}[i%2], strconv.Itoa(i))
			dp.SetStartTimestamp(pcommon.Timestamp(origin + int64(i)))
		},
		"runs of one stream": func(i int, w pcommon.Map, dp pmetric.NumberDataPoint) {
			w.PutStr("worker.id", "a")
			dp.SetStartTimestamp(pcommon.Timestamp(origin + int64(i)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			small, large := least(t, 6_000, change), least(t, 24_000, change)
			t.Logf("6,000: %v, 24,000: %v", small, large)
			require.Less(t, float64(large)/float64(small), 10.0)
		})
	}
}

// least is how long it takes at least to apply a request twice, fold and close
// what it made, and flush.
func least(t *testing.T, n int, change func(int, pcommon.Map, pmetric.NumberDataPoint)) time.Duration {
	md := blocks(n, change)
	best := time.Duration(math.MaxInt64)
	for range 3 {
		opt := testOptions()
		opt.Durable, opt.MaxWorkers, opt.MaxTombstones, opt.MaxSeries = false, 100_000, 100_000, 100_000
		r := newRig(opt)
		began := time.Now()
		r.apply(md)
		r.apply(md)
		for _, d := range []time.Duration{2 * time.Minute, 2 * time.Hour} {
			r.wait(d)
			r.sweep()
			r.table.BeginFlush(r.now, 0)
			for r.table.flush.Step() {
				continue
			}
		}
		best = min(best, time.Since(began))
		require.NoError(t, r.table.check())
	}
	return best
}

// TestRunsOfAStreamAreLimited: beyond the limit the run that was silent for
// longest is closed. What it has counted stays; nobody else's value moves.
func TestRunsOfAStreamAreLimited(t *testing.T) {
	r := newRig(testOptions())
	start := func(i int, w pcommon.Map, dp pmetric.NumberDataPoint) {
		w.PutStr("worker.id", "a")
		dp.SetStartTimestamp(pcommon.Timestamp(origin + int64(i) + 1))
		dp.SetIntValue(10)
	}
	r.apply(blocks(1, start))
	r.wait(time.Second)
	const more = maxRuns + 100
	r.apply(blocks(more, func(i int, w pcommon.Map, dp pmetric.NumberDataPoint) { start(i+1, w, dp) }))
	require.NoError(t, r.table.check())
	require.EqualValues(t, 10*(more+1), r.total())
	l := r.table.living[0]
	require.Len(t, l.streams[0].ext.others, maxRuns-1)

	res := r.apply(blocks(1, func(i int, w pcommon.Map, dp pmetric.NumberDataPoint) {
		start(i, w, dp)
		dp.SetIntValue(15)
		dp.SetTimestamp(pcommon.Timestamp(origin + 1e9))
	}))
	require.EqualValues(t, 1, res.Counts[ReturnedLate], "closed runs add nothing")
	require.EqualValues(t, 10*(more+1), r.total())
}

// total is the only series.
func (r *rig) total() int64 {
	for _, s := range r.table.series {
		return s.num.i
	}
	return -1
}

// TestBoundsOfASeriesAreLimited: a sender that makes up new bounds with every push
// is refused, with an error that says so, before it fills the memory.
func TestBoundsOfASeriesAreLimited(t *testing.T) {
	opt := testOptions()
	opt.MaxWorkers = 10_000
	r := newRig(opt)
	push := func(bounds ...float64) Result {
		md := blocks(1, func(_ int, w pcommon.Map, _ pmetric.NumberDataPoint) { w.PutStr("worker.id", fmt.Sprint(bounds[0])) })
		m := md.ResourceMetrics().At(0).ScopeMetrics().At(0).Metrics().At(0)
		m.SetEmptyHistogram().SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
		dp := m.Histogram().DataPoints().AppendEmpty()
		dp.SetStartTimestamp(pcommon.Timestamp(origin))
		dp.SetTimestamp(pcommon.Timestamp(origin + 1))
		dp.ExplicitBounds().FromRaw(bounds)
		dp.BucketCounts().FromRaw(make([]uint64, len(bounds)+1))
		dp.BucketCounts().SetAt(0, 1)
		dp.SetCount(1)
		return r.apply(md)
	}
	many := make([]float64, 100_000)
	for i := range many {
		many[i] = float64(i) + 0.5
	}
	require.ErrorContains(t, push(many...).Err, "the number of distinct bounds of a histogram series is 4096 and reached")
	refused := 0
	for i := range maxBounds + 50 {
		if push(float64(i)).Counts[Refused] == 1 {
			refused++
		}
	}
	require.Equal(t, 50, refused)
	require.NoError(t, r.table.check())
}

// TestQuietTableForgetsGroups: when all that came in a group is gone, so is the group.
func TestQuietTableForgetsGroups(t *testing.T) {
	r := newRig(testOptions())
	for i := range 500 {
		md := blocks(1, func(_ int, w pcommon.Map, _ pmetric.NumberDataPoint) {
			w.PutStr("service.name", strconv.Itoa(i))
			w.PutStr("worker.id", "a")
		})
		m := md.ResourceMetrics().At(0).ScopeMetrics().At(0).Metrics().At(0)
		m.SetEmptyGauge().DataPoints().AppendEmpty().SetIntValue(1)
		require.NoError(t, r.apply(md).Err)
		r.wait(time.Second)
	}
	require.Len(t, r.table.groups, 500)
	for range 3 {
		r.wait(2 * time.Hour)
		r.sweep()
		r.flush()
	}
	require.NoError(t, r.table.check())
	require.Empty(t, r.table.groups)
	require.Empty(t, r.table.families)
	require.Empty(t, r.table.identities)
	require.Empty(t, r.table.instances)
}

// TestErrorsNameOnlySome: an answer does not grow with the fleet.
func TestErrorsNameOnlySome(t *testing.T) {
	r := newRig(testOptions())
	r.apply(blocks(500, func(i int, w pcommon.Map, _ pmetric.NumberDataPoint) {
		w.PutStr("worker.id", "a")
		w.PutStr("worker.incarnation", strconv.Itoa(i))
	}))
	md := pmetric.NewMetrics()
	w := md.ResourceMetrics().AppendEmpty().Resource().Attributes()
	w.PutStr("service.name", "shop")
	w.PutStr("worker.id", "a")
	err := r.apply(signal(md, lifecycle.Signal{State: lifecycle.Terminated})).Err
	require.ErrorContains(t, err, "and 480 more")
	require.Less(t, strings.Count(err.Error(), "worker.incarnation="), 25)
}
