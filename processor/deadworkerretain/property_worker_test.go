package deadworkerretain_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"pgregory.net/rapid"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario"
)

// mostWindows is how many windows of a delta stream the processor remembers.
// A history never has more, so that every retry is known again.
const mostWindows = 16

// process is one start of a worker.
type process struct {
	worker  *worker
	start   string // "0" for exporters that do not know theirs
	streams map[string]stream
	order   []string
	// clock is the worker's, in seconds; it need not be right, but goes forward.
	clock, sent int
	windows     int
	life        *life
	known       bool // whether anything of it has arrived
}

// life is what a history has to remember of one, so that it stays in the
// oracle's domain.
type life struct {
	known   bool
	born    time.Duration // when the first of it arrived
	heard   time.Duration // when something of it last arrived
	last    int           // latest point time that arrived
	goodbye time.Duration // when it was said, if it is gone
	gone    bool
}

// usable reports whether the tombstone has its values if it is dead.
func (l *life) usable(now time.Duration) bool { return !l.gone || now-l.goodbye < goodbyeKeeps }

// worker is a name under which processes come one after the other, or several
// at once when they are forked and share it.
type worker struct {
	name      string
	shared    bool
	unknown   bool // no start times
	byPID     bool
	narrow    bool      // no far-off values in exponential histograms
	delta     bool      // sends deltas where others send cumulative values
	layout    []float64 // of its deltas, which a restart does not change
	processes []*process
}

func (w *worker) current() *process { return w.processes[len(w.processes)-1] }

// newWorker makes up a worker. With baselines it has no far-off values: whether
// the total must scale down for what is then subtracted is nobody's business.
func newWorker(t *rapid.T, n int, baselines bool) *worker {
	w := &worker{name: fmt.Sprintf("W%d", n), narrow: baselines, delta: rapid.IntRange(0, 3).Draw(t, "delta") == 0}
	switch rapid.IntRange(0, 5).Draw(t, "worker") {
	case 0:
		w.shared = true
	case 1:
		w.unknown = true
	case 2:
		w.byPID = true
	}
	return w
}

// begin starts a process, which has some of all the kinds of streams.
func (w *worker) begin(t *rapid.T, clock int) {
	skew := rapid.IntRange(0, 1000).Draw(t, "skew")
	p := &process{worker: w, streams: map[string]stream{}, clock: clock + skew, start: "0", life: &life{}}
	if len(w.processes) > 0 {
		// A worker's clock goes on from where its last process left it.
		p.clock = max(w.current().clock, clock) + 1
		if !w.byPID {
			p.life = w.current().life
		}
	}
	if !w.unknown {
		p.start = strconv.Itoa(p.clock) + ".5"
	}
	p.sent = p.clock
	p.clock++
	add := func(handle string, make func() stream) {
		if rapid.Bool().Draw(t, handle) {
			p.streams[handle] = make()
			p.order = append(p.order, handle)
		}
	}
	if w.delta {
		add("inc{k=1}", func() stream { return &deltaCounter{} })
		add("hinc{k=1}", func() stream {
			s := &deltaSpread{*newSpread(t, w.unknown)}
			if w.layout != nil {
				s.bounds = w.layout
			}
			w.layout = s.bounds
			return s
		})
		add("ehinc{k=1}", func() stream { return &deltaGrowing{*newGrowing(t, false)} })
	} else {
		add("c{k=1}", func() stream { return &intCounter{} })
		add("h{k=1}", func() stream { return newSpread(t, w.unknown) })
		add("eh{k=1}", func() stream { return newGrowing(t, false) })
	}
	add("c{k=2}", func() stream {
		if rapid.Bool().Draw(t, "double") {
			return &floatCounter{}
		}
		return &intCounter{}
	})
	add("eh{k=2}", func() stream { return newGrowing(t, !w.narrow) })
	add("s", func() stream { return &quantiles{} })
	if len(p.order) == 0 {
		p.streams["c{k=2}"], p.order = &intCounter{}, []string{"c{k=2}"}
	}
	w.processes = append(w.processes, p)
}

// collect observes with some streams and makes a block of what they have.
func (p *process) collect(t *rapid.T) scenario.Block {
	p.clock += rapid.IntRange(1, 15).Draw(t, "interval")
	block := p.block()
	p.windows++
	for _, handle := range p.order {
		p.streams[handle].observe(t)
		delta := handle == "inc{k=1}" || handle == "hinc{k=1}" || handle == "ehinc{k=1}"
		if delta && p.windows > mostWindows {
			continue
		}
		start := p.start
		if delta {
			start = strconv.Itoa(p.sent)
		}
		if fields := p.streams[handle].fields(); fields != nil {
			block.Items = append(block.Items, point(handle, start, p.clock, fields))
		}
	}
	p.sent = p.clock
	return block
}

// levels makes a block of an up-down sum and gauges, which are sent in order and once.
func (p *process) levels(t *rapid.T) scenario.Block {
	p.clock++
	block := p.block()
	for _, handle := range append([]string{"u"}, slices.Sorted(maps.Keys(gauges))...) {
		if handle == "u" || rapid.Bool().Draw(t, handle) {
			l := &level{}
			l.observe(t)
			block.Items = append(block.Items, point(handle, p.start, p.clock, l.fields()))
		}
	}
	return block
}

func (p *process) block() scenario.Block {
	b := scenario.Block{Worker: p.worker.name}
	if p.worker.byPID {
		for i, other := range p.worker.processes {
			if other == p {
				b.Extra = scenario.Attrs{{Key: "process.pid", Value: strconv.Itoa(i + 1)}}
			}
		}
	}
	return b
}

func point(handle, start string, at int, fields []scenario.Field) *scenario.Point {
	p := &scenario.Point{Handle: handle, Start: start, Time: strconv.Itoa(at), Fields: fields}
	if n := len(handle); handle[n-1] == '}' {
		p.Handle, p.Attrs = handle[:n-len("{k=1}")], scenario.Attrs{{Key: "k", Value: handle[n-2 : n-1]}}
	}
	return p
}

// relayout gives the process's histogram other bounds in mid-life.
func (p *process) relayout(t *rapid.T) {
	if h, ok := p.streams["h{k=1}"].(*spread); ok {
		h.bounds = rapid.SampledFrom(layouts).Draw(t, "layout")
	}
}
