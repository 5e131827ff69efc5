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
// and since their life last died.
func (o *Oracle) living(now time.Time) map[runName]state {
	c := census{
		stale: o.StaleAfter, slack: o.Slack,
		heard: map[runName]time.Time{}, doubt: map[runName]bool{}, newest: map[runName]pcommon.Timestamp{},
		life: map[string]time.Time{}, gone: map[string]bool{}, windows: map[window]bool{},
	}
	restores := o.restores
	for first := 0; first < len(o.arrivals); {
		for ; len(restores) > 0 && restores[0].after <= first; restores = restores[1:] {
			c.restore(restores[0].at)
		}
		push := o.pushAt(first)
		nothingLater := latest(push, push[0].life) <= latest(o.arrivals[:first], push[0].life)
		c.push(push, nothingLater)
		first += len(push)
	}
	for _, r := range restores {
		c.restore(r.at)
	}
	return c.states(now)
}

// pushAt is the request whose first point is at an index.
func (o *Oracle) pushAt(first int) []arrival {
	end := first
	for end < len(o.arrivals) && o.arrivals[end].push == o.arrivals[first].push {
		end++
	}
	return o.arrivals[first:end]
}

// census follows who lives through all that arrived.
type census struct {
	stale, slack time.Duration

	heard   map[runName]time.Time // when runs of living lives were last heard of
	doubt   map[runName]bool      // whether they live, although heard of
	newest  map[runName]pcommon.Timestamp
	windows map[window]bool      // the deltas that arrived
	life    map[string]time.Time // when each life was last heard of
	gone    map[string]bool      // lives that said goodbye
}

type window struct {
	run runName
	end pcommon.Timestamp
}

// push hears of a life by any request, of a run only by a point that adds to
// it: one that is later, or a window not seen before. Whether a request with
// nothing later brings a stale life back at once is left undecided.
func (c *census) push(push []arrival, nothingLater bool) {
	name, at := push[0].life, push[0].at
	if c.gone[name] && nothingLater {
		return // a straggler
	}
	stale := at.Sub(c.life[name]) >= c.stale
	if c.gone[name] || stale {
		maps.DeleteFunc(c.heard, func(n runName, _ time.Time) bool { return n.life == name })
	}
	c.gone[name], c.life[name] = push[0].goodbye, at
	for n := range c.heard {
		if n.life == name && n.level {
			c.heard[n] = at
		}
	}
	for _, a := range push {
		n, w := nameOf(&a), window{nameOf(&a), a.point.Time}
		if a.point.Time > c.newest[n] || n.delta && !c.windows[w] {
			c.heard[n], c.doubt[n] = at, stale && nothingLater
		}
		c.newest[n] = max(c.newest[n], a.point.Time)
		c.windows[w] = true
	}
}

// restore lets the silence of the living count from a restart. Of a run that
// has been silent for longer it may have been noticed before, or not.
func (c *census) restore(at time.Time) {
	for n, last := range c.heard {
		if c.gone[n.life] || at.Sub(c.life[n.life]) >= c.stale || at.Sub(last) >= c.stale+c.slack {
			continue
		}
		c.doubt[n] = c.doubt[n] || at.Sub(last) >= c.stale
		c.heard[n] = at
	}
	for name, last := range c.life {
		if at.Sub(last) < c.stale {
			c.life[name] = at
		}
	}
}

func (c *census) states(now time.Time) map[runName]state {
	out := map[runName]state{}
	for n, last := range c.heard {
		silent := now.Sub(last)
		switch {
		case c.gone[n.life] || now.Sub(c.life[n.life]) >= c.stale:
		case silent < c.stale && !c.doubt[n]:
			out[n] = alive
		case silent < c.stale+c.slack:
			out[n] = undecided
		}
	}
	return out
}
