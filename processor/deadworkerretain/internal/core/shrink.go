package core

import "maps"

// leastPeak is the number of lives below which shrinking is not worth while.
const leastPeak = 1024

// shrink gives memory back after many lives have gone: a map keeps the room of
// the most it ever held. Its cost is that of the lives that are left, and comes
// once after three quarters of them have gone.
func (t *Table) shrink() {
	n := len(t.lives)
	if t.peak = max(t.peak, n, leastPeak); n >= t.peak/4 {
		return
	}
	t.peak = n
	t.lives = remade(t.lives)
	t.identities = remade(t.identities)
	t.names = remade(t.names)
	t.instances = remade(t.instances)
	t.starts = remade(t.starts)
	t.groups = remade(t.groups)
	if t.flush == nil && 4*len(t.series) < len(t.slots.all) {
		t.families = remade(t.families)
		t.series = remade(t.series)
		t.slots.shrink()
	}
	t.living = append([]*life(nil), t.living...)
	for q := range t.graves.queues {
		t.graves.queues[q] = append([]grave(nil), t.graves.queues[q]...)
	}
	t.lifeSlots.shrink()
	t.familySlots.shrink()
}

// remade is a map with the same entries and no more room than they need.
func remade[K comparable, V any](m map[K]V) map[K]V {
	small := make(map[K]V, len(m))
	maps.Copy(small, m)
	return small
}

// shrink drops the holes at the end.
func (l *slots[T]) shrink() {
	n := len(l.all)
	for n > 0 && l.all[n-1] == nil {
		n--
	}
	l.fill(append([]*T(nil), l.all[:n]...))
}
