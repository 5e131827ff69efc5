package oracle

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario/series"
)

func second(n int) time.Time { return time.Unix(int64(1000+n), 0) }

func at(p series.Point, start, t int) series.Point {
	p.Start, p.Time = pcommon.NewTimestampFromTime(second(start)), pcommon.NewTimestampFromTime(second(t))
	if start < 0 {
		p.Start = 0
	}
	p.Temporality = pmetric.AggregationTemporalityCumulative
	return p
}

func count(v int64, start, t int) series.Point {
	return at(series.Point{ID: series.ID{Metric: "c", Kind: series.Counter}, Number: series.IntNumber(v)}, start, t)
}

func level(v int64, t int) series.Point {
	return at(series.Point{ID: series.ID{Metric: "u", Kind: series.UpDown}, Number: series.IntNumber(v)}, 1, t)
}

func spread(start, t int, bounds []float64, counts ...uint64) series.Point {
	p := at(series.Point{ID: series.ID{Metric: "h", Kind: series.Histogram}, Hist: &series.Hist{Bounds: bounds, Counts: counts}}, start, t)
	for _, n := range counts {
		p.Hist.Count += n
	}
	return p
}

// TestOracle plays cases of the contract whose numbers were worked out by hand.
func TestOracle(t *testing.T) {
	c, u, h := Output{Metric: "c", Kind: series.Counter}, Output{Metric: "u", Kind: series.UpDown}, Output{Metric: "h", Kind: series.Histogram}
	o := &Oracle{StaleAfter: 30 * time.Second}
	push := func(now int, life string, points ...series.Point) { o.Arrive(second(now), life, points, false) }
	total := func(now int, key Output) series.Point { return o.Totals(second(now))[key] }

	push(0, "A", count(50, 100, 110), level(128, 110))
	push(0, "B", count(20, 101, 111), level(100, 111))
	require.Equal(t, series.IntNumber(70), total(31, c).Number, "both are stale")
	require.Equal(t, series.IntNumber(228), total(1, u).Number)
	require.NotContains(t, o.Totals(second(31)), u, "levels leave with their lives")
	push(45, "A", count(58, 100, 145))
	push(46, "A", count(50, 100, 110))
	require.Equal(t, series.IntNumber(78), total(46, c).Number, "a return adds the difference, a retry nothing")

	push(50, "D", count(5, -1, 10), count(3, -1, 20), count(4, -1, 30))
	require.Equal(t, series.IntNumber(78+5+4), total(50, c).Number, "a fall begins a run when there is no start time")

	push(60, "old", spread(1, 10, []float64{1, 3}, 1, 2, 2))
	push(60, "new", spread(2, 11, []float64{1, 3, 7, 15}, 0, 2, 2, 4, 5))
	require.Equal(t, []uint64{1, 4, 13}, total(60, h).Hist.Counts)
	o.Arrive(second(61), "old", []series.Point{count(1, 1, 12)}, true)
	require.Equal(t, []uint64{1, 4, 2, 4, 7}, total(61, h).Hist.Counts, "case 13: le 1, 5, 7, 11, 18")
}

func TestFirstValues(t *testing.T) {
	o := &Oracle{StaleAfter: time.Minute, Drop: true}
	o.Arrive(second(0), "A", []series.Point{count(50, 1, 2)}, false)
	o.Arrive(second(9), "A", []series.Point{count(53, 1, 11), count(7, 5, 11)}, false)
	got := o.Totals(second(9))[Output{Metric: "c", Kind: series.Counter}]
	require.Equal(t, series.IntNumber(3+7), got.Number, "a later run counts whole")
}

func TestLayoutChange(t *testing.T) {
	o := &Oracle{StaleAfter: time.Minute}
	o.Arrive(second(0), "A", []series.Point{spread(1, 10, []float64{1, 3}, 1, 2, 2)}, false)
	o.Arrive(second(1), "A", []series.Point{spread(1, 20, []float64{1, 3, 7}, 1, 3, 2, 2)}, false)
	o.Arrive(second(2), "A", []series.Point{spread(1, 30, []float64{1, 3, 7}, 1, 3, 5, 2)}, false)
	got := o.Totals(second(2))[Output{Metric: "h", Kind: series.Histogram}]
	require.Equal(t, []uint64{1, 3, 3, 4}, got.Hist.Counts, "le 1, 4, 7, 11")
}

func TestExponentialFits(t *testing.T) {
	exp := func(offset int32) series.Point {
		return at(series.Point{
			ID:  series.ID{Metric: "eh", Kind: series.Exponential},
			Exp: &series.Exp{Scale: 20, Pos: series.Buckets{Offset: offset, Counts: []uint64{1}}, Count: 1},
		}, 1, 10)
	}
	o := &Oracle{StaleAfter: time.Minute}
	o.Arrive(second(0), "A", []series.Point{exp(1000000)}, false)
	o.Arrive(second(0), "B", []series.Point{exp(-1000000)}, false)
	got := o.Totals(second(0))[Output{Metric: "eh", Kind: series.Exponential}].Exp
	require.EqualValues(t, 6, got.Scale)
	require.EqualValues(t, -62, got.Pos.Offset)
	require.Equal(t, 1.0, edgeAbove(0, 0.6))
	require.Equal(t, 0.5, edgeAbove(0, 0.5))
	require.Equal(t, 4.0, edgeAbove(-1, 1.5))
}

// TestGauges combines the latest values of the living as each gauge's rule says.
func TestGauges(t *testing.T) {
	o := &Oracle{StaleAfter: 30 * time.Second, Gauges: map[string]string{"low": "min", "high": "max", "mean": "mean", "sum": "sum"}}
	gauge := func(name string, v int64, t int) series.Point {
		return at(series.Point{ID: series.ID{Metric: name, Kind: series.Gauge}, Number: series.IntNumber(v)}, 1, t)
	}
	for name := range o.Gauges {
		o.Arrive(second(0), "A", []series.Point{gauge(name, 9, 10)}, false)
		o.Arrive(second(1), "A", []series.Point{gauge(name, 1, 11)}, false)
		o.Arrive(second(2), "B", []series.Point{gauge(name, 4, 12)}, false)
	}
	value := func(now int, name string) series.Number {
		return o.Totals(second(now))[Output{Metric: name, Kind: series.Gauge}].Number
	}
	require.Equal(t, series.IntNumber(1), value(3, "low"))
	require.Equal(t, series.IntNumber(4), value(3, "high"))
	require.Equal(t, series.IntNumber(5), value(3, "sum"))
	require.Equal(t, series.FloatNumber(2.5), value(3, "mean"))
	require.Empty(t, o.Totals(second(40)), "they leave with their lives")
}
