package deadworkerretain_test

import (
	"slices"
	"strconv"

	"pgregory.net/rapid"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario"
	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario/series"
)

// stream is one instrument of a process: it observes, and says what it has.
type stream interface {
	observe(t *rapid.T)
	// fields is the value as it is pushed, nil if nothing was ever observed; a
	// delta then starts from nothing.
	fields() []scenario.Field
}

// intCounter counts in whole numbers, floatCounter in quarters and thirds.
type intCounter struct{ value int64 }

func (c *intCounter) observe(t *rapid.T) { c.value += rapid.Int64Range(0, 20).Draw(t, "add") }

func (c *intCounter) fields() []scenario.Field {
	return []scenario.Field{{Key: "=", Value: strconv.FormatInt(c.value, 10)}}
}

type floatCounter struct{ value float64 }

func (c *floatCounter) observe(t *rapid.T) {
	c.value += float64(rapid.IntRange(0, 20).Draw(t, "add")) / rapid.SampledFrom([]float64{1, 3, 4, 1e9, 1e-9}).Draw(t, "of")
}

func (c *floatCounter) fields() []scenario.Field {
	return []scenario.Field{{Key: "=", Value: series.FormatFloat(c.value)}}
}

// deltaCounter sends what it counted since it last did.
type deltaCounter struct{ value int64 }

func (c *deltaCounter) observe(t *rapid.T) { c.value += rapid.Int64Range(0, 20).Draw(t, "add") }

func (c *deltaCounter) fields() []scenario.Field {
	out := []scenario.Field{{Key: "+=", Value: strconv.FormatInt(c.value, 10)}}
	c.value = 0
	return out
}

// gauges are the gauges of workers, and by which rule they are aggregated.
var gauges = map[string]string{"busy": "sum", "eldest": "min", "load": "mean", "peak": "max"}

// level is an up-down sum or a gauge.
type level struct{ value int64 }

func (l *level) observe(t *rapid.T) { l.value = rapid.Int64Range(-50, 50).Draw(t, "level") }

func (l *level) fields() []scenario.Field {
	return []scenario.Field{{Key: "=", Value: strconv.FormatInt(l.value, 10)}}
}

// quantiles is a summary.
type quantiles struct{ count, sum int64 }

func (q *quantiles) observe(t *rapid.T) {
	n := rapid.Int64Range(0, 5).Draw(t, "observations")
	q.count, q.sum = q.count+n, q.sum+3*n
}

func (q *quantiles) fields() []scenario.Field {
	return []scenario.Field{{Key: "count", Value: strconv.FormatInt(q.count, 10)}, {Key: "sum", Value: strconv.FormatInt(q.sum, 10)}}
}

// layouts are what histograms may have as bounds.
var layouts = [][]float64{{1, 3}, {1, 3, 7, 15}, {3}, {2, 4}, {1, 2, 3, 4}, {}}

// spread is a histogram of whole numbers from 0 to 16. It knows how often it
// saw each, so that it can change its layout in mid-life.
type spread struct {
	seen            [17]uint64
	bounds          []float64
	noSum, noMinMax bool
}

// newSpread makes a histogram. Without start times a restart can go unseen; then
// sums could fall although no bucket does, so it sends none.
func newSpread(t *rapid.T, unknownStart bool) *spread {
	return &spread{
		bounds:   rapid.SampledFrom(layouts).Draw(t, "layout"),
		noSum:    rapid.IntRange(0, 9).Draw(t, "no sum") == 0 || unknownStart,
		noMinMax: rapid.IntRange(0, 3).Draw(t, "no min and max") == 0,
	}
}

func (s *spread) observe(t *rapid.T) {
	for range rapid.IntRange(0, 4).Draw(t, "observations") {
		s.seen[rapid.IntRange(0, 16).Draw(t, "value")]++
	}
}

func (s *spread) fields() []scenario.Field {
	h := &series.Hist{Bounds: s.bounds, Counts: make([]uint64, len(s.bounds)+1)}
	sum, low, high := 0.0, -1.0, -1.0
	for v, n := range s.seen {
		if n == 0 {
			continue
		}
		at := slices.IndexFunc(s.bounds, func(b float64) bool { return float64(v) <= b })
		if at < 0 {
			at = len(s.bounds)
		}
		h.Counts[at] += n
		h.Count += n
		if sum += float64(v) * float64(n); low < 0 {
			low = float64(v)
		}
		high = float64(v)
	}
	if h.Count == 0 {
		return nil
	}
	if !s.noSum {
		h.Sum = &sum
	}
	if !s.noMinMax {
		h.Min, h.Max = &low, &high
	}
	return pushed(&series.Point{Hist: h})
}

// deltaSpread is a histogram of what came since it was last sent.
type deltaSpread struct{ spread }

func (s *deltaSpread) fields() []scenario.Field {
	out := s.spread.fields()
	s.seen = [17]uint64{}
	return out
}

// pushed is a histogram's value as it is written in a push.
func pushed(p *series.Point) []scenario.Field {
	return slices.DeleteFunc(scenario.Fields(p), func(f scenario.Field) bool {
		return f.Key == "count" || f.Key == "unit" || f.Key == "description" || f.Value == "[]" && f.Key != "bounds" ||
			f.Key == "threshold" && p.Exp.Threshold == 0
	})
}
