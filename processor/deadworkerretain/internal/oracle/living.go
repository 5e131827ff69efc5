package oracle

import (
	"maps"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
)

// state is whether a run lives.
type state int

const (
	dead state = iota
	undecided
	alive
)

// living says which runs live at a moment: those heard of within StaleAfter
// and since their life last died. A life is heard of by any push, a run only by
// a point that adds to it: one that is later, or a window not seen before. Whether a push with nothing later
// brings a stale life back at once is left undecided.
func (o *Oracle) living(now time.Time) map[runName]state {
	heard := map[runName]time.Time{} // of the runs of living lives
	doubt := map[runName]bool{}      // whether they live, though heard of
	life := map[string]time.Time{}   // when each life was last heard of
	gone := map[string]bool{}        // lives that said goodbye
	newest := map[runName]pcommon.Timestamp{}
	windows := map[runName]map[pcommon.Timestamp]bool{} // of deltas, by their ends
	for first := 0; first < len(o.arrivals); {
		push := o.pushAt(first)
		name, at := push[0].life, push[0].at
		nothingLater := latest(push, name) <= latest(o.arrivals[:first], name)
		first += len(push)
		if gone[name] && nothingLater {
			continue // a straggler
		}
		stale := at.Sub(life[name]) >= o.StaleAfter
		if gone[name] || stale {
			maps.DeleteFunc(heard, func(n runName, _ time.Time) bool { return n.life == name })
		}
		gone[name], life[name] = push[0].goodbye, at
		for n := range heard {
			if n.life == name && n.level {
				heard[n] = at
			}
		}
		for _, a := range push {
			n, t := nameOf(&a), a.point.Time
			if t > newest[n] || n.delta && !windows[n][t] {
				heard[n], doubt[n] = at, stale && nothingLater
			}
			newest[n] = max(newest[n], t)
			if windows[n] == nil {
				windows[n] = map[pcommon.Timestamp]bool{}
			}
			windows[n][t] = true
		}
	}
	out := map[runName]state{}
	for name, at := range heard {
		silent := now.Sub(at)
		switch {
		case gone[name.life] || now.Sub(life[name.life]) >= o.StaleAfter:
		case silent < o.StaleAfter && !doubt[name]:
			out[name] = alive
		case silent < o.StaleAfter+o.Slack:
			out[name] = undecided
		}
	}
	return out
}

// pushAt is the request whose first point is at an index.
func (o *Oracle) pushAt(first int) []arrival {
	end := first
	for end < len(o.arrivals) && o.arrivals[end].push == o.arrivals[first].push {
		end++
	}
	return o.arrivals[first:end]
}
