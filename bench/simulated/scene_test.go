//go:build synctest

package simulated

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/payload"
)

// scene is a history of workers and the total that is right at its end. In all
// of them a worker that is silent for a minute counts as dead.
type scene struct {
	name  string
	right float64
	play  func(*stage)
}

// stage is where a scene is played before one tool.
type stage struct {
	t     *testing.T
	actor actor
}

// actor is a tool that makes totals.
type actor interface {
	consume(pmetric.Metrics) error
	// read is the total sent last. Zero if there is none.
	read() float64
	// restart replaces the tool's process by a new one with the same storage.
	restart() error
	stop() error
}

// value is one point of the scene's counter.
type value struct {
	n       float64
	double  bool
	noStart bool
	bounds  []float64
	counts  []uint64
}

// says lets workers export at the same instant, one request after the other.
func (s *stage) says(names string, values ...value) {
	for i, v := range values {
		assert.NoError(s.t, s.actor.consume(export(names[i:i+1], v)))
	}
}

func (*stage) wait(d time.Duration) { time.Sleep(d) }

func (s *stage) restart() { assert.NoError(s.t, s.actor.restart()) }

const counterName = "jobs"

func export(worker string, v value) pmetric.Metrics {
	now := time.Now()
	md := pmetric.NewMetrics()
	rm := md.ResourceMetrics().AppendEmpty()
	attrs := rm.Resource().Attributes()
	attrs.PutStr("service.name", "queue")
	attrs.PutStr(payload.WorkerAttribute, worker)
	m := rm.ScopeMetrics().AppendEmpty().Metrics().AppendEmpty()
	m.SetName(counterName)
	start := pcommon.NewTimestampFromTime(born(now))
	if v.bounds != nil {
		h := m.SetEmptyHistogram()
		h.SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
		dp := h.DataPoints().AppendEmpty()
		dp.SetStartTimestamp(start)
		dp.SetTimestamp(pcommon.NewTimestampFromTime(now))
		dp.ExplicitBounds().FromRaw(v.bounds)
		dp.BucketCounts().FromRaw(v.counts)
		var count uint64
		for _, c := range v.counts {
			count += c
		}
		dp.SetCount(count)
		dp.SetSum(float64(count))
		return md
	}
	sum := m.SetEmptySum()
	sum.SetIsMonotonic(true)
	sum.SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
	dp := sum.DataPoints().AppendEmpty()
	if !v.noStart {
		dp.SetStartTimestamp(start)
	}
	dp.SetTimestamp(pcommon.NewTimestampFromTime(now))
	if v.double {
		dp.SetDoubleValue(v.n)
	} else {
		dp.SetIntValue(int64(v.n))
	}
	return md
}

// born is when all workers of a scene started: five seconds into fake time.
func born(now time.Time) time.Time {
	return time.Date(2000, 1, 1, 0, 0, 5, 0, now.Location())
}

// total is the value of the scene's counter, or the count of its histogram.
func total(t payload.Totals) float64 {
	for _, name := range []string{counterName, counterName + "_count"} {
		if v, ok := t[payload.Key(name, []string{"job=queue"})]; ok {
			return v
		}
	}
	return 0
}

func outcome(scene, tool string, got, right float64) {
	fmt.Printf("outcome: %s | %s | %v | %v\n", scene, tool, got, right)
}
