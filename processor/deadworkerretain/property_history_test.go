package deadworkerretain_test

import (
	"fmt"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/oracle"
	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario"
	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario/series"
)

const (
	flushInterval = time.Second
	// staleAfter never falls on a flush, so that nobody has to know who comes first.
	staleAfter = 45*time.Second + 250*time.Millisecond
	// tombstones outlive a history, but for those of goodbyes.
	longest      = 50 * time.Minute
	goodbyeKeeps = 5*time.Minute - 10*time.Second
)

// history makes up what workers do, as a scenario, and tells it to the oracle,
// which says what must come out.
type history struct {
	scenario *scenario.Scenario
	oracle   *oracle.Oracle
	split    bool
	now      time.Duration
	workers  []*worker
	held     []request // sent, but still under way
	sent     []request // arrived, and may be sent again
}

// request is what one process sends at once.
type request struct {
	from    *process
	block   scenario.Block
	at      int // the time of its points
	goodbye bool
}

func newHistory(t *rapid.T) *history {
	h := &history{
		split:  rapid.Bool().Draw(t, "split"),
		oracle: &oracle.Oracle{StaleAfter: staleAfter, Drop: rapid.IntRange(0, 3).Draw(t, "drop") == 0},
		scenario: &scenario.Scenario{Name: "history", Metrics: []scenario.Metric{
			{Handle: "inc", Kind: "delta", Name: "c"},
			{Handle: "hinc", Kind: "deltahistogram", Name: "h"},
			{Handle: "ehinc", Kind: "deltaexponential", Name: "eh"},
		}},
	}
	h.scenario.Config = fmt.Sprintf("  flush_interval: %s\n  stale_after: %s\n", flushInterval, staleAfter)
	initial, output := "keep", "total"
	if h.oracle.Drop {
		initial = "drop"
	}
	if h.split {
		output = "split"
	}
	h.scenario.Config += fmt.Sprintf("  initial_value: %s\n  output: %s\n", initial, output)
	return h
}

func (h *history) do(statement scenario.Statement) {
	h.scenario.Steps = append(h.scenario.Steps, scenario.Step{Do: statement})
}

// arrive delivers requests in one push. Those of one process may share a
// resource block, as if it had collected twice.
func (h *history) arrive(requests ...request) {
	push := &scenario.Push{}
	for _, r := range requests {
		block := r.block
		if r.goodbye {
			block.Items = append(slices.Clone(block.Items), &scenario.Signal{State: "goodbye"})
		}
		push.Blocks = append(push.Blocks, block)
		h.tell(r)
		h.sent = append(h.sent, r)
	}
	h.do(push)
	if len(h.sent) > 8 {
		h.sent = h.sent[len(h.sent)-8:]
	}
}

// tell makes the oracle remember what arrives.
func (h *history) tell(r request) {
	md, err := h.scenario.Payload(&scenario.Push{Blocks: []scenario.Block{r.block}}, time.Time{}.AddDate(2000, 0, 0))
	if err != nil {
		panic(err)
	}
	points := series.Flatten(md)
	l := r.from.life
	l.heard = h.now
	switch {
	case r.goodbye:
		l.goodbye, l.gone = h.now, true
	case r.at > l.last:
		l.gone = false
	}
	l.last = max(l.last, r.at)
	h.oracle.Arrive(time.Time{}.Add(h.now), points[0].ID.Resource, points, r.goodbye)
}

// flush waits for the next flush and expects what the oracle says.
func (h *history) flush() {
	h.now = (h.now/flushInterval + 1) * flushInterval
	totals := h.oracle.Totals(time.Time{}.Add(h.now))
	out := &scenario.Out{}
	for key := range h.oracle.Seen() {
		expect := scenario.Expect{Series: -1, Point: scenario.Point{Handle: key.Metric}}
		if h.split {
			expect.Where = "total"
		}
		if key.Attrs != "" {
			expect.Point.Attrs = scenario.Attrs{{Key: "k", Value: key.Attrs[len("{k=") : len(key.Attrs)-1]}}
		}
		if p, ok := totals[key]; ok {
			expect.Point.Fields = expected(&p, h.split)
		} else {
			expect.Absent = true
		}
		out.Expect = append(out.Expect, expect)
	}
	slices.SortFunc(out.Expect, func(a, b scenario.Expect) int {
		if a, b := a.Point.Handle+a.Point.Attrs.String(), b.Point.Handle+b.Point.Attrs.String(); a < b {
			return -1
		}
		return 1
	})
	h.do(out)
}

// expected is what a flush must show of a point. The zero threshold is left out
// unless parts are added up, for it may be anywhere in an empty bucket; and the
// bounds of a histogram when the oracle does not know them.
func expected(p *series.Point, split bool) []scenario.Field {
	fields := slices.DeleteFunc(scenario.Fields(p), func(f scenario.Field) bool {
		return f.Key == "unit" || f.Key == "description" || f.Key == "quantiles" || f.Key == "threshold" && !split
	})
	if p.Hist == nil && p.Exp == nil {
		return fields
	}
	if p.Hist != nil && p.Hist.Counts == nil {
		fields = slices.DeleteFunc(fields, func(f scenario.Field) bool { return f.Key == "bounds" || f.Key == "counts" })
	}
	for _, f := range []struct {
		key    string
		absent bool
	}{{"sum", stat(p, 0) == nil}, {"min", stat(p, 1) == nil}, {"max", stat(p, 2) == nil}} {
		if f.absent {
			fields = append(fields, scenario.Field{Key: f.key, Value: "none"})
		}
	}
	return fields
}

func stat(p *series.Point, i int) *float64 {
	if p.Hist != nil {
		return []*float64{p.Hist.Sum, p.Hist.Min, p.Hist.Max}[i]
	}
	return []*float64{p.Exp.Sum, p.Exp.Min, p.Exp.Max}[i]
}
