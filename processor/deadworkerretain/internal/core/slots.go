package core

// slots numbers things that come and go. A number is used again after its thing
// has gone, so that numbers stay small, and all can be walked while others come
// and go: what leaves is a hole, what comes fills one or is put at the end.
type slots[T any] struct {
	all   []*T
	holes []uint32
}

func (l *slots[T]) put(x *T) uint32 {
	if n := len(l.holes); n > 0 {
		slot := l.holes[n-1]
		l.holes = l.holes[:n-1]
		l.all[slot] = x
		return slot
	}
	l.all = append(l.all, x)
	return uint32(len(l.all) - 1)
}

func (l *slots[T]) free(slot uint32) {
	l.all[slot] = nil
	l.holes = append(l.holes, slot)
}

// fill takes over things whose numbers are known.
func (l *slots[T]) fill(all []*T) {
	l.all, l.holes = all, nil
	for slot, x := range all {
		if x == nil {
			l.holes = append(l.holes, uint32(slot))
		}
	}
}

// extent is how many slots there are, and how many of them are taken.
type extent struct{ size, n int }

func (l *slots[T]) extent() extent { return extent{len(l.all), len(l.all) - len(l.holes)} }
