package core

import "math"

// dd is an unevaluated sum of two doubles with about 106 bits: a running total
// that rounds only when it is read. hi is the total rounded to a double.
//
// Increments of a float counter are differences of doubles. Added up as plain
// doubles they would drift away from what the workers report.
type dd struct {
	hi, lo float64
}

// ddOfInt is exact: an int64 has 63 bits.
func ddOfInt(i int64) dd {
	hi := float64(i)
	if hi == math.MaxInt64+1.0 {
		return dd{hi, float64(i - math.MaxInt64 - 1)}
	}
	return dd{hi, float64(i - int64(hi))}
}

// twoSum is Knuth's: s+e is exactly a+b.
func twoSum(a, b float64) (s, e float64) {
	s = a + b
	bb := s - a
	return s, (a - (s - bb)) + (b - bb)
}

// ddDiff is exactly a-b.
func ddDiff(a, b float64) dd {
	s, e := twoSum(a, -b)
	return dd{s, e}
}

func (x dd) plus(y dd) dd {
	s, e := twoSum(x.hi, y.hi)
	t, f := twoSum(x.lo, y.lo)
	s, e = twoSum(s, e+t)
	s, e = twoSum(s, e+f)
	if math.IsInf(s, 0) || math.IsNaN(s) {
		return dd{math.Copysign(math.MaxFloat64, x.hi+y.hi), 0}
	}
	return dd{s, e}
}
