package core

import "math"

// Values of histograms, exponential histograms and summaries on disk.

const (
	distSum = 1 << iota
	distMin
	distMax
	distExplicit
	distExponential
	distStarted
	distSumFell
)

func (e *encoder) floats(v []float64) {
	e.uint(uint64(len(v)))
	for _, f := range v {
		e.double(f)
	}
}

func (d *decoder) floats() []float64 {
	n := d.count()
	v := make([]float64, 0, n)
	for i := 0; i < n && d.err == nil; i++ {
		v = append(v, d.double())
	}
	return v
}

func (e *encoder) counts(v []uint64) {
	e.uint(uint64(len(v)))
	for _, n := range v {
		e.uint(n)
	}
}

func (d *decoder) counts() []uint64 {
	n := d.count()
	v := make([]uint64, 0, n)
	for i := 0; i < n && d.err == nil; i++ {
		v = append(v, d.uint())
	}
	return v
}

func flag(v bool, f uint8) uint8 {
	if v {
		return f
	}
	return 0
}

// layouts numbers the layouts of a record, so that each is written once.
type layouts map[*layout]int

func (e *encoder) dist(v *dist, known layouts) {
	e.flags(flag(v.hasSum, distSum) | flag(v.hasMin, distMin) | flag(v.hasMax, distMax) |
		flag(v.layout != nil, distExplicit) | flag(v.exp != nil, distExponential))
	e.uint(v.count)
	e.double(v.sum)
	e.double(v.min)
	e.double(v.max)
	if v.layout != nil {
		n, ok := known[v.layout]
		if !ok {
			n = len(known)
			known[v.layout] = n
		}
		e.uint(uint64(n))
		if !ok {
			e.floats(v.layout.bounds)
		}
		e.counts(v.buckets)
	}
	if v.exp != nil {
		e.expo(v.exp)
	}
}

// dist needs the family for its layouts, which are numbered across families
// only by their bounds.
func (d *decoder) dist(known *[][]float64) (v *dist, bounds []float64) {
	f := d.flags()
	v = &dist{hasSum: f&distSum != 0, hasMin: f&distMin != 0, hasMax: f&distMax != 0}
	v.count, v.sum, v.min, v.max = d.uint(), d.double(), d.double(), d.double()
	if f&distExplicit != 0 {
		n := d.uint()
		switch {
		case n == uint64(len(*known)):
			*known = append(*known, d.floats())
		case n > uint64(len(*known)):
			d.must(false, "layout %d, expected %d at most", n, len(*known))
			return v, nil
		}
		bounds = (*known)[n]
		v.buckets = d.counts()
		d.must(len(v.buckets) == len(bounds)+1, "%d buckets for %d bounds", len(v.buckets), len(bounds))
	}
	if f&distExponential != 0 {
		v.exp = d.expo()
	}
	return v, bounds
}

func (e *encoder) expo(v *expo) {
	e.int(int64(v.scale))
	e.uint(v.zero)
	e.double(v.threshold)
	for _, side := range []*buckets{&v.pos, &v.neg} {
		e.int(side.offset)
		e.counts(side.counts)
	}
}

func (d *decoder) expo() *expo {
	v := &expo{scale: int32(d.int()), zero: d.uint(), threshold: d.double()}
	for _, side := range []*buckets{&v.pos, &v.neg} {
		side.offset = d.int()
		side.counts = d.counts()
		d.must(side.offset >= math.MinInt32 && side.end() <= math.MaxInt32, "buckets from %d to %d, which no double has", side.offset, side.end())
	}
	d.must(v.threshold >= 0 && v.threshold <= math.MaxFloat64, "zero threshold is %v, expected a finite number, 0 or more", v.threshold)
	d.must(v.scale >= minScale && v.scale <= maxScale, "scale is %d, expected %d to %d", v.scale, minScale, maxScale)
	return v
}

func (e *encoder) distTotal(t *distTotal) {
	e.flags(flag(t.noSum, distSum) | flag(t.noMin, distMin) | flag(t.noMax, distMax) |
		flag(t.counts != nil || t.shown != nil, distExplicit) | flag(t.exp != nil, distExponential) |
		flag(t.started, distStarted) | flag(t.sumFell, distSumFell))
	e.uint(t.count)
	e.double(t.sum.hi)
	e.double(t.sum.lo)
	e.double(t.min)
	e.double(t.max)
	e.double(t.prevSum)
	if t.counts != nil || t.shown != nil {
		e.floats(t.bounds)
		e.counts(t.counts)
		e.floats(t.shown)
	}
	if t.exp != nil {
		e.expo(t.exp)
	}
}

func (d *decoder) distTotal() *distTotal {
	f := d.flags()
	t := &distTotal{
		noSum: f&distSum != 0, noMin: f&distMin != 0, noMax: f&distMax != 0,
		started: f&distStarted != 0, sumFell: f&distSumFell != 0,
	}
	t.count, t.sum = d.uint(), dd{d.double(), d.double()}
	t.min, t.max, t.prevSum = d.double(), d.double(), d.double()
	if f&distExplicit != 0 {
		t.bounds, t.counts, t.shown = d.floats(), d.counts(), d.floats()
		switch {
		case len(t.counts) == 0 && len(t.bounds) == 0:
			t.bounds, t.counts = nil, nil
		default:
			d.must(len(t.counts) == len(t.bounds)+1, "%d buckets for %d bounds", len(t.counts), len(t.bounds))
		}
	}
	if f&distExponential != 0 {
		t.exp = d.expo()
	}
	return t
}
