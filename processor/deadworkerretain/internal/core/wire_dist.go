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

func (e *encoder) bounds(v []float64) {
	e.uint(uint64(len(v)))
	for _, f := range v {
		e.double(f)
	}
}

// bounds reads bounds, which must ascend: others would never be merged to an end.
func (d *decoder) bounds() []float64 {
	n := d.count()
	v := make([]float64, 0, n)
	for i := 0; i < n && d.err == nil; i++ {
		b := d.double()
		d.must(!math.IsNaN(b) && !math.IsInf(b, 0) && (i == 0 || b > v[i-1]), "bound %d is %v, expected finite, strictly ascending bounds", i, b)
		v = append(v, b)
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

func (e *encoder) dist(v *dist, known *layouts) {
	e.flags(flag(v.hasSum, distSum) | flag(v.hasMin, distMin) | flag(v.hasMax, distMax) |
		flag(v.layout != nil, distExplicit) | flag(v.exp != nil, distExponential))
	e.uint(v.count)
	e.double(v.sum)
	e.double(v.min)
	e.double(v.max)
	if v.layout != nil {
		e.uint(uint64(known.number[v.layout]))
		e.counts(v.buckets)
	}
	if v.exp != nil {
		e.expo(v.exp)
	}
}

// dist reads a value whose bounds are one of the known; a new one follows its
// number in format 1.
func (d *decoder) dist(known *[][]float64) (v *dist, bounds []float64) {
	f := d.flags()
	v = &dist{hasSum: f&distSum != 0, hasMin: f&distMin != 0, hasMax: f&distMax != 0}
	v.count, v.sum, v.min, v.max = d.uint(), d.double(), d.double(), d.double()
	if f&distExplicit != 0 {
		n := d.uint()
		if d.version == 1 && n == uint64(len(*known)) {
			*known = append(*known, d.bounds())
		}
		if n >= uint64(len(*known)) {
			d.must(false, "layout %d, expected less than %d", n, len(*known))
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

// distTotal writes bounds by their number where known is given.
func (e *encoder) distTotal(t *distTotal, known *boundLists) {
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
		known.write(e, t.bounds)
		e.counts(t.counts)
		known.write(e, t.shown)
	}
	if t.exp != nil {
		e.expo(t.exp)
	}
}

func (d *decoder) distTotal(known *boundLists) *distTotal {
	f := d.flags()
	t := &distTotal{
		noSum: f&distSum != 0, noMin: f&distMin != 0, noMax: f&distMax != 0,
		started: f&distStarted != 0, sumFell: f&distSumFell != 0,
	}
	t.count, t.sum = d.uint(), dd{d.double(), d.double()}
	t.min, t.max, t.prevSum = d.double(), d.double(), d.double()
	if f&distExplicit != 0 {
		t.bounds, t.counts, t.shown = known.read(d), d.counts(), known.read(d)
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
