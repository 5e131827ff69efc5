package core

// index finds the streams and levels of a life by their keys. It holds numbers
// only, a slot of four bytes for each and as many empty ones at least as a third
// of those: the keys stand with the streams. A map would repeat them, and take
// half as much memory as the streams themselves.
//
// Slots are probed one after the other from the one a key's hash points to.
// 0 is an empty slot, n+1 stream n, -n-1 level n.
type index struct {
	slots []int32
	n     int
}

// find is the number of a stream, or ^number of a level.
func (l *life) find(key Key) (at int32, ok bool) {
	if l.index.n == 0 {
		return 0, false
	}
	v := l.index.slots[l.slotOf(key)]
	switch {
	case v > 0:
		return v - 1, true
	case v < 0:
		return v, true
	}
	return 0, false
}

// slotOf is where a key stands, or would.
func (l *life) slotOf(key Key) uint64 {
	mask := uint64(len(l.index.slots) - 1)
	for at := key.Lo & mask; ; at = (at + 1) & mask {
		if v := l.index.slots[at]; v == 0 || l.keyOf(v) == key {
			return at
		}
	}
}

func (l *life) keyOf(v int32) Key {
	if v > 0 {
		return l.streams[v-1].key
	}
	return l.levels[^v].key
}

// note makes a key lead to a stream, or with ^number to a level.
func (l *life) note(key Key, at int32) {
	if 4*(l.index.n+1) > 3*len(l.index.slots) {
		l.widen()
	}
	slot := l.slotOf(key)
	if l.index.slots[slot] == 0 {
		l.index.n++
	}
	if at >= 0 {
		at++
	}
	l.index.slots[slot] = at
}

func (l *life) widen() {
	was := l.index.slots
	l.index.slots = make([]int32, max(8, 2*len(was)))
	for _, v := range was {
		if v != 0 {
			l.index.slots[l.slotOf(l.keyOf(v))] = v
		}
	}
}

// unnote forgets a key, whose stream or level must still be there, and closes
// the gap: what was pushed beyond its own slot moves back.
func (l *life) unnote(key Key) {
	slots, mask := l.index.slots, uint64(len(l.index.slots)-1)
	gap := l.slotOf(key)
	slots[gap] = 0
	l.index.n--
	for at := (gap + 1) & mask; slots[at] != 0; at = (at + 1) & mask {
		home := l.keyOf(slots[at]).Lo & mask
		if (at-home)&mask >= (at-gap)&mask {
			slots[gap], slots[at] = slots[at], 0
			gap = at
		}
	}
}
