package worker

import (
	"fmt"
	"maps"
	"slices"
)

// Differences lists the samples in which t is not what was wanted, in the order
// of their names.
func (t Totals) Differences(want Totals) []string {
	var list []string
	all := maps.Clone(t)
	maps.Copy(all, want)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if t[key] != want[key] {
			list = append(list, fmt.Sprintf("%s is %v, expected %v", key, t[key], want[key]))
		}
	}
	return list
}

// Exceeds reports whether a sample of t is higher than in the other totals.
func (t Totals) Exceeds(other Totals) bool {
	for key, v := range t {
		if v > other[key] {
			return true
		}
	}
	return false
}
