package core

import (
	"slices"

	"go.opentelemetry.io/collector/pdata/pcommon"
)

// layout is the bounds of an explicit histogram, shared by all streams of a
// family that use it. A histogram without buckets has the layout without bounds.
type layout struct {
	bounds []float64
	// users counts the runs whose last value has this layout.
	users int
}

func (l *layout) equals(bounds pcommon.Float64Slice) bool {
	if bounds.Len() != len(l.bounds) {
		return false
	}
	for i, b := range l.bounds {
		if bounds.At(i) != b {
			return false
		}
	}
	return true
}

// layoutFor finds or makes the family's layout with these bounds.
func (f *family) layoutFor(bounds []float64) *layout {
	for _, l := range f.layouts {
		if slices.Equal(l.bounds, bounds) {
			return l
		}
	}
	// Never nil, which would mean that nothing has been shown yet.
	l := &layout{bounds: append(make([]float64, 0, len(bounds)), bounds...)}
	f.layouts = append(f.layouts, l)
	return l
}

func (f *family) release(l *layout) {
	if l == nil {
		return
	}
	if l.users--; l.users == 0 {
		f.layouts = slices.DeleteFunc(f.layouts, func(o *layout) bool { return o == l })
	}
}

// common is the bounds that both layouts have.
func common(a, b []float64) []float64 {
	both := make([]float64, 0, min(len(a), len(b)))
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			both = append(both, a[i])
			i, j = i+1, j+1
		}
	}
	return both
}

// coarsen adds up counts over bounds into the buckets of to, a subset of bounds.
func coarsen(counts []uint64, bounds, to []float64) []uint64 {
	coarse := make([]uint64, len(to)+1)
	at := 0
	for i, n := range counts {
		coarse[at] += n
		if at < len(to) && i < len(bounds) && bounds[i] == to[at] {
			at++
		}
	}
	return coarse
}
