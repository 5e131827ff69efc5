package core

import "math"

// number is a value of a number point: an int64 or a double in eight bytes.
type number struct {
	bits  uint64
	float bool
}

func ofInt(i int64) number     { return number{bits: uint64(i)} }
func ofFloat(f float64) number { return number{bits: math.Float64bits(f), float: true} }

func (n number) int() int64 { return int64(n.bits) }

func (n number) asFloat() float64 {
	if n.float {
		return math.Float64frombits(n.bits)
	}
	return float64(n.int())
}

func (n number) dd() dd {
	if n.float {
		return dd{math.Float64frombits(n.bits), 0}
	}
	return ddOfInt(n.int())
}

// compare is exact, also between an int and a double that no double or int holds.
func (n number) compare(o number) int {
	if !n.float && !o.float {
		return cmp(n.int(), o.int())
	}
	if n.float && o.float {
		return cmp(n.asFloat(), o.asFloat())
	}
	a, b := n.dd(), o.dd()
	if a.hi != b.hi {
		return cmp(a.hi, b.hi)
	}
	return cmp(a.lo, b.lo)
}

func cmp[T int64 | uint64 | float64](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// minus is the exact difference of two values of a monotonic sum, n >= o >= 0.
func (n number) minus(o number) increment {
	if !n.float && !o.float {
		return increment{i: n.int() - o.int()}
	}
	if n.float && o.float {
		return increment{float: true, f: ddDiff(n.asFloat(), o.asFloat())}
	}
	b := o.dd()
	return increment{float: true, f: n.dd().plus(dd{-b.hi, -b.lo})}
}

// increment is what a point adds to a total.
type increment struct {
	i     int64
	f     dd
	float bool
}

func (n number) whole() increment {
	if n.float {
		return increment{float: true, f: n.dd()}
	}
	return increment{i: n.int()}
}

// zero adds nothing but keeps the kind: a double that adds 0 makes the total a double.
func (n number) zero() increment { return increment{float: n.float} }

// total is the running value of a monotonic sum. It is an int64 while all that
// came was int64, exact; then a double, for ever.
type total struct {
	i     int64
	f     dd
	float bool
}

// add reports whether the total became a double by it.
func (t *total) add(inc increment) (switched bool) {
	if !t.float {
		if !inc.float {
			if s := t.i + inc.i; (s > t.i) == (inc.i > 0) {
				t.i = s
				return false
			}
		}
		t.float, t.f, switched = true, ddOfInt(t.i), true
	}
	if inc.float {
		t.f = t.f.plus(inc.f)
	} else {
		t.f = t.f.plus(ddOfInt(inc.i))
	}
	return switched
}

func (t *total) absorb(o *total) (switched bool) {
	return t.add(increment{i: o.i, f: o.f, float: o.float})
}

// roundedUp is the least double that is not below i.
func roundedUp(i int64) float64 {
	d := ddOfInt(i)
	if d.lo > 0 {
		return math.Nextafter(d.hi, math.Inf(1))
	}
	return d.hi
}

// number is the total as an output value.
func (t *total) number() number {
	if t.float {
		return ofFloat(t.f.hi)
	}
	return ofInt(t.i)
}
