package core

import (
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
)

// The memory formula of docs/sizing.md: a living number stream takes at most
// 120 bytes beyond its series, whoever it belongs to.
func TestMemoryOfANumberStream(t *testing.T) {
	const streams, few, many = 1000, 10, 110
	opt := &Options{
		Identity: [][]string{{"service.instance.id"}}, StaleAfter: time.Hour, InitialValue: InitialKeep,
		MaxWorkers: 1000, MaxSeries: 1_000_000, MaxStreamsPerWorker: 10_000, MaxTombstones: 1000,
	}
	now := Instant{Wall: 1e18}
	table := NewTable(opt, 1, now)
	md := pmetric.NewMetrics()
	rm := md.ResourceMetrics().AppendEmpty()
	m := rm.ScopeMetrics().AppendEmpty().Metrics().AppendEmpty()
	m.SetName("c")
	m.SetEmptySum().SetIsMonotonic(true)
	m.Sum().SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
	for i := range streams {
		dp := m.Sum().DataPoints().AppendEmpty()
		dp.SetStartTimestamp(pcommon.Timestamp(now.Wall))
		dp.SetTimestamp(pcommon.Timestamp(now.Wall + 1))
		dp.SetIntValue(int64(i))
		dp.Attributes().PutInt("i", int64(i))
	}
	var b Batch
	push := func(from, to int) uint64 {
		for i := from; i < to; i++ {
			rm.Resource().Attributes().PutStr("service.instance.id", strconv.Itoa(i))
			b.Prepare(table.Hasher(), opt, md)
			require.NoError(t, table.Apply(&b, now).Err)
		}
		return heapInUse()
	}
	before := push(0, few)
	after := push(few, many)
	perStream := float64(after-before) / float64((many-few)*streams)
	t.Logf("%.1f bytes a stream", perStream)
	require.LessOrEqual(t, perStream, 120.0)
	runtime.KeepAlive(table)
}
