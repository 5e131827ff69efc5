package core

import (
	"math"
	"slices"
)

// layouts numbers the layouts of a life's runs in the order in which the runs are
// written.
type layouts struct {
	number map[*layout]int
	all    []*layout
}

func (l *life) layouts() *layouts {
	known := &layouts{}
	for i := range l.streams {
		for r := range l.streams[i].runs {
			if r.dist != nil && r.dist.layout != nil {
				known.add(r.dist.layout)
			}
		}
	}
	return known
}

func (k *layouts) add(l *layout) {
	if _, ok := k.number[l]; ok {
		return
	}
	if k.number == nil {
		k.number = map[*layout]int{}
	}
	k.number[l] = len(k.all)
	k.all = append(k.all, l)
}

// boundLists are the lists of bounds that a record has had so far. The series of
// a metric mostly have the same, so that each list is written once. A nil
// one remembers nothing.
type boundLists [][]float64

// mostLists is how many lists are looked through.
const mostLists = 8

// write writes the number of a list, from 1, or 0 and a list that was not there.
func (k *boundLists) write(e *encoder, v []float64) {
	if k == nil {
		e.bounds(v)
		return
	}
	at := slices.IndexFunc(*k, func(known []float64) bool { return sameBits(known, v) })
	e.uint(uint64(at + 1))
	if at < 0 {
		e.bounds(v)
		// What is written may change before the next series is.
		k.note(slices.Clone(v))
	}
}

func (k *boundLists) note(v []float64) {
	if len(*k) < mostLists {
		*k = append(*k, v)
	}
}

// read answers a list of its own.
func (k *boundLists) read(d *decoder) []float64 {
	if k == nil {
		return d.bounds()
	}
	n := d.uint()
	if n == 0 {
		v := d.bounds()
		k.note(v)
		return slices.Clone(v)
	}
	if d.must(n <= uint64(len(*k)), "list of bounds %d, expected %d at most", n, len(*k)); d.err != nil {
		return nil
	}
	return slices.Clone((*k)[n-1])
}

func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}
