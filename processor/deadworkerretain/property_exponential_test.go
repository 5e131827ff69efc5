package deadworkerretain_test

import (
	"math"

	"pgregory.net/rapid"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario"
	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario/series"
)

// growing is an exponential histogram whose scale may fall when it is sent.
type growing struct {
	exp *series.Exp
	// wide histograms have far-off values, so that totals must scale down to fit.
	wide bool
	sum  float64
}

func newGrowing(t *rapid.T, wide bool) *growing {
	g := &growing{wide: wide, exp: &series.Exp{Scale: rapid.Int32Range(-2, 4).Draw(t, "scale")}}
	if !wide && rapid.IntRange(0, 3).Draw(t, "threshold") == 0 {
		g.exp.Threshold = rapid.SampledFrom([]float64{1e-3, 0.3, 1, 1.7}).Draw(t, "threshold")
	}
	return g
}

func (g *growing) observe(t *rapid.T) {
	reach := int32(6)
	if g.wide {
		reach = 150
	}
	// Beyond that no double lies.
	reach = min(reach, int32(1000*math.Exp2(float64(g.exp.Scale))))
	for range rapid.IntRange(0, 3).Draw(t, "observations") {
		g.exp.Count++
		g.sum += 0.5
		index := rapid.Int32Range(-reach, reach).Draw(t, "index")
		switch side := rapid.IntRange(0, 4).Draw(t, "side"); {
		case side == 0 || series.UpperEdge(g.exp.Scale, index) <= g.exp.Threshold:
			g.exp.Zero++
		case side == 1:
			g.exp.Neg = put(g.exp.Neg, index)
		default:
			g.exp.Pos = put(g.exp.Pos, index)
		}
	}
	if g.exp.Scale > -4 && rapid.IntRange(0, 7).Draw(t, "rescale") == 0 {
		g.exp = g.exp.Coarser(g.exp.Scale-1, g.exp.Threshold)
	}
}

// put adds one to a bucket.
func put(b series.Buckets, index int32) series.Buckets {
	m := b.ByIndex(0, 0)
	m[index]++
	return series.FromIndex(m)
}

func (g *growing) fields() []scenario.Field {
	if g.exp.Count == 0 {
		return nil
	}
	e := *g.exp
	sum := g.sum
	e.Sum = &sum
	return pushed(&series.Point{Exp: &e})
}

// deltaGrowing is an exponential histogram of what came since it was last sent.
type deltaGrowing struct{ growing }

func (g *deltaGrowing) fields() []scenario.Field {
	out := g.growing.fields()
	g.exp, g.sum = &series.Exp{Scale: g.exp.Scale, Threshold: g.exp.Threshold}, 0
	return out
}
