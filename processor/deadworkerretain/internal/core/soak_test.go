package core

import (
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
)

// Every four seconds a worker comes, pushes twice and vanishes. However many
// have died, the total is exact and what is kept stays the same: the tombstones
// of an hour, the closed runs of a day, one series.
//
// SOAK_LIVES says how many lives (50,000, half of which fill a day; `make soak`: 1,000,000).
func TestSoak(t *testing.T) {
	lives := 50_000
	if text, ok := os.LookupEnv("SOAK_LIVES"); ok {
		n, err := strconv.Atoi(text)
		require.NoError(t, err)
		lives = n
	}
	s := newSoak()
	heap := map[int]uint64{}
	t.Logf("empty: heap %5.1f MB", float64(heapInUse())/1e6)
	for i := 1; i <= lives; i++ {
		s.life(i)
		if i == lives/20 || i%(lives/4) == 0 {
			heap[i] = heapInUse()
			t.Logf("after %9d lives: heap %5.1f MB, tombstones %d, closed runs %d", i, float64(heap[i])/1e6, s.t.graves.n, s.t.closed.n)
		}
	}
	require.EqualValues(t, 2*lives, s.total())
	require.LessOrEqual(t, s.t.graves.n, 1000, "tombstones of an hour")
	require.LessOrEqual(t, s.t.closed.n, 26*900, "closed runs of a day")
	require.Less(t, float64(heap[lives]), 1.2*float64(heap[lives/2]), "the second half of the lives leaves nothing")

	// The last ones go stale; an hour later their values go, a day later all else.
	for _, later := range []time.Duration{time.Minute, time.Hour, 26 * time.Hour} {
		s.now = s.now.After(later)
		s.flush()
	}
	require.Equal(t, Stats{Series: 1}, s.state())
	require.Zero(t, s.t.closed.n)
	runtime.KeepAlive(s)
}

type soak struct {
	opt  *Options
	t    *Table
	b    Batch
	md   pmetric.Metrics
	now  Instant
	last *Flush
}

func newSoak() *soak {
	opt := &Options{
		Identity: [][]string{{"service.instance.id"}}, StaleAfter: time.Minute,
		AfterGoodbye: 5 * time.Minute, AfterStaleness: time.Hour, InitialValue: InitialKeep,
		MaxWorkers: 1000, MaxSeries: 1000, MaxStreamsPerWorker: 10, MaxTombstones: 100_000,
	}
	s := &soak{opt: opt, now: Instant{Wall: 1e18}, md: pmetric.NewMetrics()}
	s.t = NewTable(opt, 1, s.now)
	m := s.md.ResourceMetrics().AppendEmpty().ScopeMetrics().AppendEmpty().Metrics().AppendEmpty()
	m.SetName("c")
	m.SetEmptySum().SetIsMonotonic(true)
	m.Sum().SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
	m.Sum().DataPoints().AppendEmpty()
	return s
}

// life is one worker: it counts to two in four seconds and is not heard of again.
func (s *soak) life(i int) {
	rm := s.md.ResourceMetrics().At(0)
	rm.Resource().Attributes().PutStr("service.instance.id", strconv.Itoa(i))
	dp := rm.ScopeMetrics().At(0).Metrics().At(0).Sum().DataPoints().At(0)
	dp.SetStartTimestamp(pcommon.Timestamp(s.now.Wall))
	for value := int64(1); value <= 2; value++ {
		s.now = s.now.After(2 * time.Second)
		dp.SetTimestamp(pcommon.Timestamp(s.now.Wall))
		dp.SetIntValue(value)
		s.b.Prepare(s.t.Hasher(), s.opt, s.md)
		s.t.Apply(&s.b, s.now)
	}
	if i%15 == 0 {
		s.flush()
	}
}

func (s *soak) flush() {
	for s.t.Sweep(s.now) {
	}
	// What was due may have closed what is due only now.
	for s.t.Sweep(s.now) {
	}
	s.last = s.t.BeginFlush(s.now, 0)
	for s.last.Step() {
	}
}

func (s *soak) total() int64 {
	s.flush()
	return s.last.Metrics().ResourceMetrics().At(0).ScopeMetrics().At(0).Metrics().At(0).Sum().DataPoints().At(0).IntValue()
}

// state is what the table holds, without what has happened.
func (s *soak) state() Stats {
	st := s.t.Stats()
	return Stats{Running: st.Running, Quiet: st.Quiet, Dead: st.Dead, Streams: st.Streams, Series: st.Series, SharedIdentities: st.SharedIdentities}
}

func heapInUse() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
