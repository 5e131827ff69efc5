package oracle

import (
	"maps"
	"time"
)

// living says which runs live at a moment: those heard of within StaleAfter
// and since their life last died.
func (o *Oracle) living(now time.Time) map[runName]bool {
	heard := map[runName]time.Time{} // of the runs of living lives
	life := map[string]time.Time{}   // when each life was last heard of
	gone := map[string]bool{}        // lives that said goodbye
	for first := 0; first < len(o.arrivals); {
		push := o.pushAt(first)
		name, at := push[0].life, push[0].at
		straggler := gone[name] && latest(push, name) <= latest(o.arrivals[:first], name)
		first += len(push)
		if straggler {
			continue
		}
		if gone[name] || at.Sub(life[name]) >= o.StaleAfter {
			maps.DeleteFunc(heard, func(n runName, _ time.Time) bool { return n.life == name })
		}
		gone[name], life[name] = push[0].goodbye, at
		for n := range heard {
			if n.life == name && n.level {
				heard[n] = at
			}
		}
		for _, a := range push {
			heard[nameOf(&a)] = at
		}
	}
	out := map[runName]bool{}
	for name, at := range heard {
		out[name] = !gone[name.life] && now.Sub(at) < o.StaleAfter
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
