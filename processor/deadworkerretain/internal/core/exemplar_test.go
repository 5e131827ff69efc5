package core

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
)

// What is remembered of the exemplars of a run goes with the run: an exporter
// whose start time moves with every push must not fill the memory.
func TestExemplarsOfClosedRunsAreForgotten(t *testing.T) {
	r := newRig(testOptions())
	md := pmetric.NewMetrics()
	rm := md.ResourceMetrics().AppendEmpty()
	rm.Resource().Attributes().PutStr("worker.id", "a")
	m := rm.ScopeMetrics().AppendEmpty().Metrics().AppendEmpty()
	m.SetName("c")
	m.SetEmptySum().SetIsMonotonic(true)
	m.Sum().SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
	dp := m.Sum().DataPoints().AppendEmpty()
	exemplar := dp.Exemplars().AppendEmpty()

	const pushes = 1000 // one in ten seconds, for almost three hours
	for i := range pushes {
		r.wait(10 * time.Second)
		dp.SetStartTimestamp(pcommon.Timestamp(r.now.Wall - 1))
		dp.SetTimestamp(pcommon.Timestamp(r.now.Wall))
		dp.SetIntValue(int64(i))
		exemplar.SetTimestamp(pcommon.Timestamp(r.now.Wall))
		require.NoError(t, r.push(md).Err)
		r.sweep()
	}
	s := &r.table.living[0].streams[0]
	require.Less(t, len(s.others()), pushes/2, "runs of more than an hour ago are closed")
	require.LessOrEqual(t, len(s.ext.exemplars), len(s.others())+1)
}
