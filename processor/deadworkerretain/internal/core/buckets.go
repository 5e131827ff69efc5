package core

import "math"

// buckets is one side of an exponential histogram: counts[i] counts values in
// (base^(offset+i), base^(offset+i+1)], with base = 2^(2^-scale).
// https://opentelemetry.io/docs/specs/otel/metrics/data-model/#exponentialhistogram
type buckets struct {
	offset int64
	counts []uint64
}

func (b *buckets) end() int64 { return b.offset + int64(len(b.counts)) }

// trim drops empty buckets at both ends, so that only the range in use counts.
func (b *buckets) trim() {
	for len(b.counts) > 0 && b.counts[0] == 0 {
		b.counts = b.counts[1:]
		b.offset++
	}
	for len(b.counts) > 0 && b.counts[len(b.counts)-1] == 0 {
		b.counts = b.counts[:len(b.counts)-1]
	}
	if len(b.counts) == 0 {
		b.offset = 0
	}
}

// reach makes room for the indices from lo up to but not including hi.
func (b *buckets) reach(lo, hi int64) {
	if len(b.counts) == 0 {
		b.offset, b.counts = lo, make([]uint64, hi-lo)
		return
	}
	lo, hi = min(lo, b.offset), max(hi, b.end())
	if lo == b.offset && hi == b.end() {
		return
	}
	wider := make([]uint64, hi-lo)
	copy(wider[b.offset-lo:], b.counts)
	b.offset, b.counts = lo, wider
}

// add adds o, which has the same scale.
func (b *buckets) add(o *buckets) {
	if len(o.counts) == 0 {
		return
	}
	b.reach(o.offset, o.end())
	base := o.offset - b.offset
	for i, n := range o.counts {
		b.counts[base+int64(i)] += n
	}
}

// downscale halves the resolution by times: at one step, buckets 2k and 2k+1
// become bucket k.
//
//	offset=1 counts     [1 1]     indices 1, 2
//	by 1     counts [1 1]         indices 0, 1
func (b *buckets) downscale(by uint) {
	if by == 0 || len(b.counts) == 0 {
		return
	}
	lo, hi := b.offset>>by, (b.end()-1)>>by
	coarse := make([]uint64, hi-lo+1)
	for i, n := range b.counts {
		coarse[(b.offset+int64(i))>>by-lo] += n
	}
	b.offset, b.counts = lo, coarse
}

// takeBelow removes the buckets up to and including index and returns what they counted.
func (b *buckets) takeBelow(index int64) (sum uint64) {
	for len(b.counts) > 0 && b.offset <= index {
		sum += b.counts[0]
		b.counts = b.counts[1:]
		b.offset++
	}
	return sum
}

// lowerEdge is base^index. Equal edges of different scales are equal numbers,
// because index*2^-scale is exact.
func lowerEdge(index int64, scale int32) float64 {
	return min(math.Exp2(math.Ldexp(float64(index), -int(scale))), math.MaxFloat64)
}
