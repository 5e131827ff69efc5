package deadworkerretain_test

import (
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain"
	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario"
)

// TestHistories makes up histories of workers that start, count, push, retry,
// reorder, stall, return, restart and die, and compares every flush with the
// oracle. A history that fails is printed as a scenario, small enough to read,
// which can be put into testdata/scenarios as it is.
func TestHistories(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) { playHistory(t, rt) })
}

// FuzzHistories is TestHistories for as long as one likes, guided by coverage.
func FuzzHistories(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		rapid.MakeFuzz(func(rt *rapid.T) { playHistory(t, rt) })(t, data)
	})
}

func playHistory(t *testing.T, rt *rapid.T) {
	h := newHistory(rt)
	rt.Repeat(h.actions())
	h.flush()
	if rapid.IntRange(0, 9).Draw(rt, "quiet") == 0 {
		h.quiet()
	}
	var err error
	synctest.Test(t, func(*testing.T) { err = scenario.Run(h.scenario, deadworkerretain.NewFactory()) })
	if err != nil {
		rt.Fatalf("%v\nThe history, as a scenario:\n\n%s", err, h.scenario)
	}
}

// quiet waits until all are dead and their values closed: only the series remain.
func (h *history) quiet() {
	const long = 65 * time.Minute
	h.now += long
	h.do(&scenario.Clock{To: long, Relative: true})
	h.do(&scenario.Self{Values: []scenario.SelfValue{
		{Name: "lives", Op: "="}, {Name: "tombstones", Op: "="}, {Name: "streams", Op: "="},
	}})
	h.flush()
}
