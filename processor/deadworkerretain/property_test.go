package deadworkerretain_test

import (
	"crypto/sha256"
	"flag"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain"
	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario"
)

// A failing history is made smaller by what it means, and printed as a
// scenario; rapid need neither do that by its bits nor keep them in a file.
func init() {
	_ = flag.Set("rapid.nofailfile", "true")
	// The same histories in every run; `make fuzz` and -rapid.seed=0 play others.
	_ = flag.Set("rapid.seed", "1")
	_ = flag.Set("rapid.shrinktime", "0s")
}

// TestHistories makes up histories of workers that start, count, push, retry,
// reorder, stall, return, restart and die, and compares every flush with the
// oracle. A history that fails is printed as a scenario, small enough to read,
// which can be put into testdata/scenarios as it is.
func TestHistories(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) { playHistory(t, rt) })
}

// FuzzHistories is TestHistories for as long as one likes, guided by coverage.
func FuzzHistories(f *testing.F) {
	f.Add([]byte("history"))
	f.Fuzz(func(t *testing.T, data []byte) {
		rapid.MakeFuzz(func(rt *rapid.T) { playHistory(t, rt) })(t, draws(data))
	})
}

// draws makes a short input long enough to draw a history from: what it does not
// say follows from its hash.
func draws(data []byte) []byte {
	noise := make([]byte, 1<<16)
	_, _ = rand.NewChaCha8(sha256.Sum256(data)).Read(noise)
	return append(slices.Clone(data), noise...)
}

func playHistory(t *testing.T, rt *rapid.T) {
	h := newHistory(rt)
	rt.Repeat(h.actions())
	h.flush()
	if rapid.IntRange(0, 9).Draw(rt, "quiet") == 0 {
		h.steps = append(h.steps, step{quiet: true}, step{flush: true})
	}
	run := func(steps []step) (err error) {
		s := compose(h, steps)
		synctest.Test(t, func(*testing.T) { err = scenario.Run(s, deadworkerretain.NewFactory()) })
		return err
	}
	if !inDomain(h, h.steps) {
		rt.Fatalf("the history is not in the oracle's domain:\n\n%s", compose(h, h.steps))
	}
	if run(h.steps) == nil {
		return
	}
	steps := shrink(h.steps, shortened(h, func(steps []step) bool { return run(steps) != nil }))
	rt.Fatalf("%v\nThe history, as a scenario:\n\n%s", run(steps), compose(h, steps))
}
