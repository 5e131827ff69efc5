package core

import (
	setting "flag"
	"slices"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/collector/pdata/pmetric"
	"pgregory.net/rapid"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// A failing history is printed; rapid need not keep it in a file too.
func init() {
	_ = setting.Set("rapid.nofailfile", "true")
	// The same histories in every run; -rapid.seed=0 plays others.
	_ = setting.Set("rapid.seed", "1")
}

// TestCheckpointIsOneCut interleaves pushes, goodbyes, deaths, returns and
// closings with the steps of checkpoints and flushes, some of which are lost.
// What is on disk afterwards is the table as it was when the cut began.
func TestCheckpointIsOneCut(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		h := newHistory(rt)
		rt.Repeat(h.actions())
	})
}

// history is a random history of a table and its disk.
type history struct {
	*rig
	hands []*hand
	sent  []pmetric.Metrics
	// running is a cut that has begun, cut the table as it was then, and saved
	// the disk of the last one that was written.
	running *Flush
	cut     string
	saved   disk
}

func newHistory(t *rapid.T) *history {
	opt := testOptions()
	opt.Split = rapid.Bool().Draw(t, "split")
	opt.InitialValue = rapid.SampledFrom([]InitialValue{InitialAuto, InitialKeep, InitialDrop}).Draw(t, "initial value")
	opt.IgnoreStart = rapid.IntRange(0, 9).Draw(t, "ignore start") == 0
	switch rapid.IntRange(0, 3).Draw(t, "limits") {
	case 0:
		opt.MaxSeries, opt.MaxStreamsPerWorker, opt.MaxTombstones, opt.MaxWorkers = 6, 5, 1, 3
	case 1:
		opt.RetainedTTL = 2 * time.Minute
	}
	return &history{rig: newRig(opt)}
}

func (h *history) actions() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"worker": func(t *rapid.T) { h.hands = append(h.hands, newHand(t, h.now)) },
		"push":   func(t *rapid.T) { h.send(h.some(t).request(t, h.now)) },
		"push 2": func(t *rapid.T) { h.send(h.some(t).request(t, h.now)) },
		"retry": func(t *rapid.T) {
			if len(h.sent) > 0 {
				h.push(rapid.SampledFrom(h.sent).Draw(t, "sent"))
			}
		},
		"signal": func(t *rapid.T) { h.push(h.signal(t)) },
		"wait":   func(t *rapid.T) { h.wait(time.Duration(rapid.IntRange(1, 30).Draw(t, "seconds")) * time.Second) },
		"stall": func(t *rapid.T) {
			h.wait(time.Duration(rapid.SampledFrom([]int{1, 6, 65, 25 * 60}).Draw(t, "minutes")) * time.Minute)
		},
		"sweep": func(*rapid.T) { h.sweep() },
		"begin": h.begin,
		"step":  h.step,
		"end":   h.end,
		"": func(t *rapid.T) {
			if err := h.table.check(); err != nil {
				t.Fatalf("the living table: %v\n%s", err, h.table.dump(false))
			}
		},
	}
}

func (h *history) some(t *rapid.T) *hand {
	if len(h.hands) == 0 {
		h.hands = append(h.hands, newHand(t, h.now))
	}
	return rapid.SampledFrom(h.hands).Draw(t, "hand")
}

func (h *history) send(md pmetric.Metrics) {
	h.push(md)
	h.sent = append(h.sent, md)
	if len(h.sent) > 10 {
		h.sent = slices.Delete(h.sent, 0, 1)
	}
}

// signal is a signal of a worker, with its data or alone.
func (h *history) signal(t *rapid.T) pmetric.Metrics {
	w := h.some(t)
	md := w.request(t, h.now)
	if rapid.Bool().Draw(t, "alone") {
		md = pmetric.NewMetrics()
		w.resource(t, md.ResourceMetrics().AppendEmpty().Resource().Attributes())
	}
	return signal(md, lifecycle.Signal{
		State:  rapid.SampledFrom([]lifecycle.State{lifecycle.Running, lifecycle.Quiet, lifecycle.Terminated, lifecycle.Terminated}).Draw(t, "state"),
		Reason: rapid.SampledFrom([]string{"", lifecycle.ReasonReported, lifecycle.ReasonConnectionLost}).Draw(t, "reason"),
	})
}

// begin begins a cut as the processor does: after a sweep.
func (h *history) begin(t *rapid.T) {
	if h.running != nil {
		return
	}
	h.sweep()
	emit := rapid.Bool().Draw(t, "emit")
	if emit {
		h.running = h.table.BeginFlush(h.now, h.next)
	} else {
		h.running = h.table.BeginCheckpoint(h.now, h.next)
	}
	h.cut = h.table.dump(emit)
}

func (h *history) step(t *rapid.T) {
	if h.running != nil && !h.running.step(2) {
		h.written(t)
	}
}

func (h *history) end(t *rapid.T) {
	if h.running == nil {
		return
	}
	for h.running.step(2) {
	}
	h.written(t)
}

// written writes the checkpoint, or loses it, and compares what a restart would find.
func (h *history) written(t *rapid.T) {
	c := h.running.Checkpoint()
	writes := c.Writes()
	h.running = nil
	if rapid.IntRange(0, 4).Draw(t, "lost") == 0 {
		c.Lost()
		return
	}
	h.disk.write(writes)
	h.saved = h.disk.without(func(key string) bool { return strings.Contains(key, "/j/") })
	restored, err := Restore(h.opt, h.saved.get, Instant{Wall: h.now.Wall, Mono: 1})
	if err != nil {
		t.Fatalf("the state cannot be read: %v", err)
	}
	if got := restored.dump(false); got != h.cut {
		t.Fatalf("the state on disk is not that of the cut:\n%s", difference(h.cut, got))
	}
	if err := restored.check(); err != nil {
		t.Fatalf("the restored table: %v", err)
	}
}
