package law

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario/series"
)

// at is the n-th second, when the n-th flush happens.
func at(n int) time.Time { return time.Unix(int64(n), 0) }

func stamp(n int) pcommon.Timestamp { return pcommon.NewTimestampFromTime(at(n)) }

func counter(n, start int, value int64) series.Point {
	return series.Point{
		ID:          series.ID{Metric: "c", Kind: series.Counter},
		Temporality: pmetric.AggregationTemporalityCumulative,
		Alone:       true, Start: stamp(start), Time: stamp(n), Number: series.IntNumber(value),
	}
}

func histogramOf(n int, bounds []float64, counts ...uint64) series.Point {
	p := counter(n, 0, 0)
	p.ID.Kind = series.Histogram
	p.Hist = &series.Hist{Bounds: bounds, Counts: counts}
	p.Hist.Count = p.Hist.LE(1e300) + counts[len(counts)-1]
	return p
}

func exponentialOf(n int, scale int32, counts ...uint64) series.Point {
	p := counter(n, 0, 0)
	p.ID.Kind = series.Exponential
	p.Exp = &series.Exp{Scale: scale, Pos: series.Buckets{Counts: counts}}
	for _, c := range counts {
		p.Exp.Count += c
	}
	return p
}

func ended(p series.Point) series.Point { p.NoRecorded = true; return p }

func inCompany(p series.Point) series.Point { p.Alone = false; return p }

func TestChecker(t *testing.T) {
	for name, c := range map[string]struct {
		flushes [][]series.Point
		want    string // "" when nothing is wrong
	}{
		"grows":                  {flushes: [][]series.Point{{counter(1, 0, 3)}, {counter(2, 0, 3)}}},
		"falls":                  {[][]series.Point{{counter(1, 0, 3)}, {counter(2, 0, 2)}}, "fell from 3 to 2"},
		"falls, honest reset":    {flushes: [][]series.Point{{counter(1, 0, 3)}, {counter(2, 1, 2)}}},
		"start moves":            {[][]series.Point{{counter(5, 3, 3)}, {counter(6, 4, 3)}}, "its start moved"},
		"stale time":             {[][]series.Point{{counter(0, 0, 3)}}, "expected the flush time"},
		"start after time":       {[][]series.Point{{counter(1, 2, 3)}}, "after its time"},
		"twice":                  {[][]series.Point{{counter(1, 0, 3), counter(1, 0, 3)}}, "emitted twice"},
		"vanishes":               {[][]series.Point{{counter(1, 0, 3)}, nil}, "vanished"},
		"ends":                   {flushes: [][]series.Point{{counter(1, 0, 3)}, {ended(counter(2, 0, 0))}, nil}},
		"ends in company":        {[][]series.Point{{counter(1, 0, 3)}, {inCompany(ended(counter(2, 0, 0)))}}, "drops the rest"},
		"ends unborn":            {[][]series.Point{{ended(counter(1, 0, 0))}}, "without having been there"},
		"ends and goes on":       {[][]series.Point{{counter(1, 0, 3)}, {ended(counter(2, 0, 0))}, {counter(3, 0, 4)}}, "goes on with the start"},
		"negative":               {[][]series.Point{{counter(1, 0, -1)}}, "no negative value"},
		"le falls, count grows":  {[][]series.Point{{histogramOf(1, []float64{1000}, 5, 1)}, {histogramOf(2, []float64{1000}, 0, 6)}}, "le=1000 fell from 5 to 0"},
		"bound leaves":           {flushes: [][]series.Point{{histogramOf(1, []float64{1, 3}, 1, 1, 1)}, {histogramOf(2, []float64{3}, 2, 2)}}},
		"buckets and bounds":     {[][]series.Point{{histogramOf(1, []float64{1, 3}, 1, 1)}}, "2 buckets for 2 bounds"},
		"bounds fall":            {[][]series.Point{{histogramOf(1, []float64{3, 1}, 1, 1, 0)}}, "do not rise"},
		"scale falls":            {flushes: [][]series.Point{{exponentialOf(1, 1, 1, 1)}, {exponentialOf(2, 0, 2)}}},
		"scale rises":            {[][]series.Point{{exponentialOf(1, 0, 2)}, {exponentialOf(2, 1, 1, 1)}}, "scale rose"},
		"exponential bucket":     {[][]series.Point{{exponentialOf(1, 0, 2, 1)}, {exponentialOf(2, 0, 1, 3)}}, "bucket 0 of side 0 fell"},
		"too many buckets":       {[][]series.Point{{exponentialOf(1, 0, make([]uint64, 161)...)}}, "161 buckets"},
		"scale below the lowest": {[][]series.Point{{exponentialOf(1, -5, 1)}}, "expected -4 to 20"},
	} {
		t.Run(name, func(t *testing.T) {
			var checker Checker
			var got []string
			for i, flush := range c.flushes {
				n := i + 1
				if len(flush) > 0 && flush[0].Time > stamp(n) {
					n = int(flush[0].Time / stamp(1))
				}
				for _, err := range checker.Flush(flush, at(n)) {
					got = append(got, err.Error())
				}
			}
			if c.want == "" {
				require.Empty(t, got)
				return
			}
			require.Contains(t, strings.Join(got, "\n"), c.want)
		})
	}
}

func TestRestartedExcusesWhatIsMissing(t *testing.T) {
	var checker Checker
	require.Empty(t, checker.Flush([]series.Point{counter(1, 0, 3)}, at(1)))
	checker.Restarted()
	require.Empty(t, checker.Flush(nil, at(2)))
	require.NotEmpty(t, checker.Flush([]series.Point{counter(3, 0, 1)}, at(3)), "an old start with a lower value")
	require.Empty(t, checker.Flush([]series.Point{counter(4, 3, 1)}, at(4)))
}
