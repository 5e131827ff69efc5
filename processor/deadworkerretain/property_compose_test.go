package deadworkerretain_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/oracle"
	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario"
	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario/series"
)

// composer writes a history as a scenario, in which the oracle says what every
// flush must show.
type composer struct {
	scenario *scenario.Scenario
	oracle   *oracle.Oracle
	split    bool
	now      time.Time
	began    time.Time // when the collector last started
}

// second0 is any moment; the oracle only compares.
var second0 = time.Unix(1_000_000_000, 0)

func compose(h *history, steps []step) *scenario.Scenario {
	c := &composer{
		oracle: &oracle.Oracle{StaleAfter: staleAfter, Slack: staleAfter/4 + 2*time.Second, Drop: h.baselines, Gauges: gauges},
		split:  h.split, now: second0, began: second0,
		scenario: &scenario.Scenario{Name: "history", Metrics: []scenario.Metric{
			{Handle: "inc", Kind: "delta", Name: "c"},
			{Handle: "hinc", Kind: "deltahistogram", Name: "h"},
			{Handle: "ehinc", Kind: "deltaexponential", Name: "eh"},
		}},
	}
	initial, output := "keep", "total"
	if h.baselines {
		initial = "drop"
	}
	if h.split {
		output = "split"
	}
	c.scenario.Config = fmt.Sprintf("  flush_interval: %s\n  stale_after: %s\n  initial_value: %s\n  output: %s\n",
		flushInterval, staleAfter, initial, output)
	if h.stored {
		c.scenario.Config += "  storage: memory\n"
	}
	c.scenario.Config += "  rules:\n"
	for _, name := range slices.Sorted(maps.Keys(gauges)) {
		c.scenario.Metrics = append(c.scenario.Metrics, scenario.Metric{Handle: name, Kind: "gauge", Name: name})
		c.scenario.Config += fmt.Sprintf("    - {match: [%s], gauge: %s}\n", name, gauges[name])
	}
	for _, s := range steps {
		if s.wait > 0 {
			c.wait(s.wait)
		}
		switch {
		case s.push != nil:
			c.push(s.push)
		case s.flush:
			c.flush()
		case s.quiet:
			c.quiet()
		case s.restart != "":
			c.do(&scenario.Collector{What: s.restart})
			c.oracle.Restore(c.now)
			c.began = c.now
		}
	}
	return c.scenario
}

func (c *composer) do(st scenario.Statement) {
	c.scenario.Steps = append(c.scenario.Steps, scenario.Step{Line: len(c.scenario.Steps) + 1, Do: st})
}

func (c *composer) push(requests []request) {
	push := &scenario.Push{}
	for _, r := range requests {
		block := r.block
		if r.goodbye {
			block.Items = append(slices.Clone(block.Items), r.farewell())
		}
		push.Blocks = append(push.Blocks, block)
	}
	c.do(push)
	// What one life sends in one request is one arrival.
	arrived := map[string][]series.Point{}
	var goodbye bool
	for _, r := range inTimeOrder(requests) {
		md, err := c.scenario.Payload(&scenario.Push{Blocks: []scenario.Block{r.block}}, second0)
		if err != nil {
			panic(err)
		}
		for _, p := range series.Flatten(md) {
			arrived[p.ID.Resource] = append(arrived[p.ID.Resource], p)
		}
		goodbye = goodbye || r.goodbye // which is always sent alone
	}
	for life, points := range arrived {
		c.oracle.Arrive(c.now, life, points, goodbye)
	}
}

func (c *composer) wait(d time.Duration) {
	c.now = c.now.Add(d)
	c.do(&scenario.Clock{To: d, Relative: true})
}

// quiet waits until all are dead and their values closed: only the series remain.
func (c *composer) quiet() {
	c.wait(quietFor)
	c.do(&scenario.Self{Values: []scenario.SelfValue{
		{Name: "lives", Op: "="}, {Name: "tombstones", Op: "="}, {Name: "streams", Op: "="},
	}})
}

// flush waits for the next flush and expects what the oracle says.
func (c *composer) flush() {
	c.now = second0.Add(nextFlush(c.now.Sub(second0), c.began.Sub(second0)))
	totals := c.oracle.Totals(c.now)
	out := &scenario.Out{}
	for key := range c.oracle.Seen() {
		e := scenario.Expect{Series: -1, Point: scenario.Point{Handle: key.Metric}}
		if c.split || key.Kind == series.Exponential {
			e.Where = "total" // an exponential histogram may be finer than the oracle has it
		}
		if key.Attrs != "" {
			e.Point.Attrs = scenario.Attrs{{Key: "k", Value: strings.Trim(key.Attrs, "{k=}")}}
		}
		if p, ok := totals[key]; ok {
			e.Point.Fields = c.expected(&p)
		} else {
			e.Absent = true
		}
		out.Expect = append(out.Expect, e)
	}
	slices.SortFunc(out.Expect, func(a, b scenario.Expect) int { return strings.Compare(order(&a), order(&b)) })
	c.do(out)
}

// order puts expectations that say the same about "where" together.
func order(e *scenario.Expect) string { return e.Where + " " + e.Point.Handle + e.Point.Attrs.String() }

// expected is what a flush must show of a point. The bounds of a histogram are
// left out when the oracle does not know them, extremes when the total is in
// parts: what a life had before it returned is in another part.
func (c *composer) expected(p *series.Point) []scenario.Field {
	fields := scenario.Fields(p)
	stats := [3]*float64{}
	switch {
	case p.Hist != nil:
		stats = [3]*float64{p.Hist.Sum, p.Hist.Min, p.Hist.Max}
	case p.Exp != nil:
		stats = [3]*float64{p.Exp.Sum, p.Exp.Min, p.Exp.Max}
	}
	for i, key := range []string{"sum", "min", "max"} {
		if stats[i] == nil && (p.Hist != nil || p.Exp != nil) {
			fields = append(fields, scenario.Field{Key: key, Value: "none"})
		}
	}
	unknown := []string{"unit", "description", "quantiles"}
	if p.Hist != nil && p.Hist.Counts == nil {
		unknown = append(unknown, "bounds", "counts")
	}
	if c.split {
		unknown = append(unknown, "min", "max")
	}
	return slices.DeleteFunc(fields, func(f scenario.Field) bool { return slices.Contains(unknown, f.Key) })
}
