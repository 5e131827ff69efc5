// Package payload makes what the benchmarks push: fleets of workers whose
// counters advance with every push in a way that makes the right totals known.
//
// Every value is a multiple of how often its worker has pushed, so the right
// total of a series is the same multiple of all pushes of all workers, dead or
// alive. All doubles are multiples of a half: adding them loses nothing, and
// totals can be compared for equality.
package payload
