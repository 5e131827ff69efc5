package core

import (
	"math"
	"slices"
)

// maxBounds is the most distinct bounds a series keeps. SDKs have dozens; a
// sender that makes up new bounds with every push must not fill the memory.
const maxBounds = 1 << 12

// distTotal is the running value of a histogram, exponential histogram or
// summary series.
//
// Explicit buckets: every bucket that ever came is kept under its own upper
// bound, whatever layout it came in. The count at or below a bound is then the
// sum of all that lies at or below it, which can only grow, and bounds may be
// shown or hidden at will:
//
//	layout A  |   1   |   3   |         +Inf         |
//	layout B  |   1   |   3   |   7   |  15  | +Inf  |
//	kept      |   1   |   3   |   7   |  15  | +Inf  |   A's last bucket counts at +Inf
//
// A bound is shown if the layouts of all living runs have it: there, no living
// run has counts whose place is unknown.
type distTotal struct {
	count   uint64
	sum     dd
	min     float64
	max     float64
	noSum   bool
	noMin   bool
	noMax   bool
	started bool
	// sumFell is set when a negative observation lowered the sum since the last flush.
	sumFell bool
	prevSum float64

	bounds []float64
	counts []uint64
	living []livingLayout
	shown  []float64

	exp *expo
}

// livingLayout counts the living runs of a series that use a layout.
type livingLayout struct {
	layout *layout
	runs   int
}

// add reports false if the value has more bounds than a series can keep.
func (t *distTotal) add(g *gain) bool {
	if g.bounds != nil || len(g.buckets) > 0 {
		if !t.place(g.bounds, g.buckets) {
			return false
		}
	}
	t.addCommon(g)
	if g.exp != nil {
		if t.exp == nil {
			t.exp = &expo{scale: g.exp.scale, threshold: g.exp.threshold}
		}
		if !t.exp.addSame(g.exp) {
			t.exp.add(g.exp)
		}
	}
	return true
}

// addAnyway adds what was accepted already. Where the series can keep no more
// bounds it counts at those that both have: no count is lost, and none falls.
func (t *distTotal) addAnyway(g *gain) {
	if !t.add(g) {
		bounds := common(t.bounds, g.bounds)
		g.buckets = coarsen(g.buckets, g.bounds, bounds)
		g.bounds = bounds
		t.add(g)
	}
}

// fits reports whether a count can be added without wrapping around.
func (t *distTotal) fits(count uint64) bool { return t.count+count >= count }

// addSame adds o without reshaping, if that is possible.
func (e *expo) addSame(o *expo) bool {
	if e.scale != o.scale || e.threshold != o.threshold ||
		!e.pos.covers(&o.pos) || !e.neg.covers(&o.neg) {
		return false
	}
	e.zero += o.zero
	e.pos.add(&o.pos)
	e.neg.add(&o.neg)
	return true
}

func (b *buckets) covers(o *buckets) bool {
	return len(o.counts) == 0 || (o.offset >= b.offset && o.end() <= b.end() && len(b.counts) <= maxBuckets)
}

func (t *distTotal) addCommon(g *gain) {
	t.count += g.count
	if t.noSum = t.noSum || !g.hasSum; !t.noSum {
		t.sumFell = t.sumFell || g.sum.hi < 0
		t.sum = t.sum.plus(g.sum)
	}
	t.noMin = t.noMin || !g.hasMin
	t.noMax = t.noMax || !g.hasMax
	if !t.started {
		t.started, t.min, t.max = true, math.Inf(1), math.Inf(-1)
	}
	t.min, t.max = min(t.min, g.min), max(t.max, g.max)
}

// baseline takes note of a run whose first value is not counted: what is the
// least and greatest of the rest is then unknown.
func (t *distTotal) baseline(d *dist) {
	t.noMin, t.noMax = true, true
	t.noSum = t.noSum || !d.hasSum
	if d.exp != nil && t.exp == nil {
		t.exp = &expo{scale: d.exp.scale, threshold: d.exp.threshold}
	}
	if d.layout != nil {
		t.place(d.layout.bounds, nil)
	}
}

// place adds counts to the buckets with the same upper bounds.
func (t *distTotal) place(bounds []float64, counts []uint64) bool {
	if t.counts == nil {
		if len(bounds) > maxBounds {
			return false
		}
		// The bounds of a layout never change, so that they can be shared.
		t.bounds = bounds
		t.counts = make([]uint64, len(bounds)+1)
		if t.shown == nil {
			t.shown = bounds
		}
	}
	if !sameBounds(bounds, t.bounds) {
		return t.placeWider(bounds, counts)
	}
	if len(counts) > 0 {
		to := t.counts[:len(counts)]
		for i, n := range counts {
			to[i] += n
		}
	}
	return true
}

// sameBounds mostly need not look at the bounds, because layouts share them.
func sameBounds(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	return len(a) == 0 || &a[0] == &b[0] || slices.Equal(a, b)
}

func (t *distTotal) placeWider(bounds []float64, counts []uint64) bool {
	if all := union(t.bounds, bounds); len(all) > len(t.bounds) {
		if len(all) > maxBounds {
			return false
		}
		wider := make([]uint64, len(all)+1)
		for i, n := range t.counts {
			wider[indexOf(all, t.bounds, i)] = n
		}
		t.bounds, t.counts = all, wider
	}
	for i, n := range counts {
		if n > 0 {
			t.counts[indexOf(t.bounds, bounds, i)] += n
		}
	}
	return true
}

// indexOf is where bucket i of bounds stands among all, which holds bounds.
func indexOf(all, bounds []float64, i int) int {
	if i == len(bounds) {
		return len(all)
	}
	at, _ := slices.BinarySearch(all, bounds[i])
	return at
}

// union is the bounds that either has. Both ascend.
func union(a, b []float64) []float64 {
	all := make([]float64, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		next := min(a[0], b[0])
		all = append(all, next)
		if a[0] == next {
			a = a[1:]
		}
		if b[0] == next {
			b = b[1:]
		}
	}
	return append(append(all, a...), b...)
}

// live counts one more living run with this layout and reports whether living
// runs now disagree that agreed before.
func (t *distTotal) live(l *layout) (conflict bool) {
	if l == nil {
		return false
	}
	for i := range t.living {
		if t.living[i].layout == l {
			t.living[i].runs++
			return false
		}
	}
	t.living = append(t.living, livingLayout{l, 1})
	if len(t.living) == 1 {
		t.shown = l.bounds
	} else {
		t.shown = common(t.shown, l.bounds)
	}
	return len(t.living) > 1
}

// die counts one living run less. The last bounds shown stay when none lives.
func (t *distTotal) die(l *layout) {
	for i := range t.living {
		if t.living[i].layout != l {
			continue
		}
		if t.living[i].runs--; t.living[i].runs == 0 {
			t.living = slices.Delete(t.living, i, i+1)
			t.show()
		}
		return
	}
}

func (t *distTotal) show() {
	if len(t.living) == 0 {
		return
	}
	shown := t.living[0].layout.bounds
	for _, l := range t.living[1:] {
		shown = common(shown, l.layout.bounds)
	}
	t.shown = shown
}

// showNoMore narrows the bounds shown to those of a series that was absorbed,
// unless living runs decide what is shown.
func (t *distTotal) showNoMore(bounds []float64) {
	switch {
	case len(t.living) > 0:
	case t.shown == nil:
		t.shown = bounds
	default:
		t.shown = common(t.shown, bounds)
	}
}

// explicit is the bucket counts at the bounds that are shown now.
func (t *distTotal) explicit() []uint64 {
	if sameBounds(t.shown, t.bounds) {
		return append(make([]uint64, 0, len(t.shown)+1), t.counts...)
	}
	counts := make([]uint64, len(t.shown)+1)
	at := 0
	for i, n := range t.counts {
		for at < len(t.shown) && (i == len(t.bounds) || t.bounds[i] > t.shown[at]) {
			at++
		}
		counts[at] += n
	}
	return counts
}

// absorb adds all of o, a series that ends.
func (t *distTotal) absorb(o *distTotal) {
	if !o.started {
		// Nothing was added to it; but a baseline makes the extremes unknown.
		t.noSum, t.noMin, t.noMax = t.noSum || o.noSum, t.noMin || o.noMin, t.noMax || o.noMax
		if o.exp != nil && t.exp == nil {
			t.exp = &expo{scale: o.exp.scale, threshold: o.exp.threshold}
		} else if o.exp != nil {
			t.exp.add(o.exp.clone())
		}
		return
	}
	g := gain{sum: o.sum, bounds: o.bounds}
	g.count, g.min, g.max = o.count, o.min, o.max
	g.hasSum, g.hasMin, g.hasMax = !o.noSum, !o.noMin, !o.noMax
	g.buckets = o.counts
	if o.exp != nil {
		g.exp = o.exp.clone()
	}
	t.addAnyway(&g)
}
