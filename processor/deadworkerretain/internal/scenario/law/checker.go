// Package law checks every output of the processor against what must hold
// whatever was pushed: no emitted value falls while its series keeps its start
// time, buckets add up to counts, start times do not move, times advance,
// nothing vanishes unannounced.
package law

import (
	"fmt"
	"maps"
	"time"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario/series"
)

// Checker remembers the last point of every series. Its zero value is ready;
// it is not safe for concurrent use.
type Checker struct {
	// Negative says that negative values have been observed by a histogram or
	// a summary: then their sums may fall.
	Negative bool
	// MayForget says that series may vanish without an end: retained_ttl is set.
	MayForget bool
	// AnyTime says that flushes arrive a little after they were cut: no fake clock.
	AnyTime bool

	restarted bool
	last      map[series.ID]series.Point
	ended     map[series.ID]series.Point
}

// instant is the most by which flushes in one instant of the fake clock are
// apart, whose times must rise nevertheless.
const instant = 1000 // nanoseconds

// Flush checks one flush, which arrived at the given time, and returns what is
// wrong with it.
func (c *Checker) Flush(points []series.Point, at time.Time) []error {
	var errs []error
	seen := map[series.ID]series.Point{}
	for i := range points {
		p := points[i]
		complain := func(format string, args ...any) {
			errs = append(errs, fmt.Errorf("%s: %s", p.ID, fmt.Sprintf(format, args...)))
		}
		if _, twice := seen[p.ID]; twice {
			complain("emitted twice in one flush")
		}
		seen[p.ID] = p
		c.times(&p, at, complain)
		if p.NoRecorded {
			c.end(&p, complain)
			continue
		}
		wellFormed(&p, complain)
		if before, ok := c.last[p.ID]; ok {
			c.neverBack(&before, &p, complain)
		}
		if before, ok := c.ended[p.ID]; ok && p.Monotonic() && p.Start+instant < before.Time {
			complain("it ended at %s and goes on with the start %s", before.Time.AsTime(), p.Start.AsTime())
		}
	}
	for id, before := range c.last {
		if _, ok := seen[id]; ok {
			continue
		}
		if !c.MayForget && !c.restarted {
			errs = append(errs, fmt.Errorf("%s: vanished without a no-recorded-value point", id))
		}
		c.remember(before)
	}
	c.restarted = false
	maps.DeleteFunc(seen, func(_ series.ID, p series.Point) bool { return p.NoRecorded })
	c.last = seen
	return errs
}

func (c *Checker) end(p *series.Point, complain func(string, ...any)) {
	if !p.Alone {
		complain("ends inside a metric that goes on: the Prometheus exporter drops the rest of it")
	}
	if _, ok := c.last[p.ID]; !ok {
		complain("ends without having been there")
	}
	c.remember(*p)
}

func (c *Checker) remember(p series.Point) {
	if c.ended == nil {
		c.ended = map[series.ID]series.Point{}
	}
	c.ended[p.ID] = p
}

// Restarted excuses series that are missing from the next flush, because the
// processor was restarted and has lost them. If they come back it must be with
// a new start.
func (c *Checker) Restarted() { c.restarted = true }

func (c *Checker) times(p *series.Point, at time.Time, complain func(string, ...any)) {
	if got := p.Time.AsTime(); (got.Before(at) || got.Sub(at) > instant) && !c.AnyTime {
		complain("its time is %s, expected the flush time %s", got, at)
	}
	if p.Start > p.Time {
		complain("it starts at %s, after its time %s", p.Start.AsTime(), p.Time.AsTime())
	}
	before, ok := c.last[p.ID]
	if !ok {
		return
	}
	if p.Time <= before.Time {
		complain("its time is %s, not after the one before, %s", p.Time.AsTime(), before.Time.AsTime())
	}
	restarted := p.Start != before.Start && p.ID.Kind != series.Gauge && p.ID.Kind != series.UpDown
	if restarted && p.Start+instant < before.Time {
		complain("its start moved from %s to %s, which overlaps the series that ended at %s",
			before.Start.AsTime(), p.Start.AsTime(), before.Time.AsTime())
	}
}
