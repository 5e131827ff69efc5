package deadworkerretain_test

import (
	"slices"
	"time"

	"pgregory.net/rapid"
)

// actions are all that can happen in a history, by name. An action that makes
// no sense at the moment does nothing.
func (h *history) actions() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"worker": func(t *rapid.T) {
			if len(h.workers) < 6 {
				h.begin(t)
			}
		},
		"push":   func(t *rapid.T) { h.ifSent(t, func(r request) { h.arrive(r) }) },
		"push 2": func(t *rapid.T) { h.ifSent(t, func(r request) { h.arrive(r) }) },
		"hold":   func(t *rapid.T) { h.ifSent(t, func(r request) { h.held = append(h.held, r) }) },
		"push with what was held": func(t *rapid.T) {
			h.ifSent(t, func(r request) {
				if late, ok := h.release(t); ok {
					h.arrive(r, late)
				} else {
					h.arrive(r)
				}
			})
		},
		"release": func(t *rapid.T) {
			if r, ok := h.release(t); ok {
				h.arrive(r)
			}
		},
		"retry":    h.retry,
		"level":    h.level,
		"replace":  h.replace,
		"goodbye":  h.goodbye,
		"relayout": h.relayout,
		"wait":     func(t *rapid.T) { h.wait(time.Duration(rapid.IntRange(6, 30).Draw(t, "seconds")) * time.Second) },
		"stall":    func(t *rapid.T) { h.wait(time.Duration(rapid.IntRange(40, 120).Draw(t, "seconds")) * time.Second) },
		"flush":    func(*rapid.T) { h.flush() },
		"restart": func(*rapid.T) {
			if h.stored {
				h.wait(collection)
				h.restart("restart")
			}
		},
		"crash": func(*rapid.T) {
			if h.stored {
				h.wait(collection)
				h.flush()
				h.restart("crash")
			}
		},
	}
}

func (h *history) begin(t *rapid.T) {
	w := newWorker(t, len(h.workers), h.baselines)
	w.begin(t, int(h.now/time.Second)+1)
	h.workers = append(h.workers, w)
}

// some picks a process whose life can still be undone. Of those that share an
// identity any, of others the current one.
func (h *history) some(t *rapid.T) (*process, bool) {
	if len(h.workers) == 0 {
		h.begin(t)
	}
	w := rapid.SampledFrom(h.workers).Draw(t, "worker")
	p := w.current()
	if w.shared {
		p = rapid.SampledFrom(w.processes).Draw(t, "process")
	}
	return p, p.life.usable(h.now)
}

// ifSent makes a process collect and hands on its request, if there is anything in it.
func (h *history) ifSent(t *rapid.T, use func(request)) {
	p, ok := h.some(t)
	if !ok {
		return
	}
	if r := (request{from: p, block: p.collect(t), at: p.clock}); len(r.block.Items) > 0 {
		use(r)
	}
}

// release takes one of the held requests, in any order.
func (h *history) release(t *rapid.T) (request, bool) {
	if len(h.held) == 0 {
		return request{}, false
	}
	i := rapid.IntRange(0, len(h.held)-1).Draw(t, "held")
	r := h.held[i]
	h.held = slices.Delete(h.held, i, i+1)
	return r, r.from.life.usable(h.now)
}

// retry sends again what has arrived.
func (h *history) retry(t *rapid.T) {
	if len(h.sent) == 0 {
		return
	}
	r := rapid.SampledFrom(h.sent).Draw(t, "sent")
	h.arrive(r)
}

// level sends an up-down sum and gauges. They are never late nor retried: two
// early points in a row would mean a clock that stepped back.
func (h *history) level(t *rapid.T) {
	p, ok := h.some(t)
	if !ok || p.worker.shared {
		return
	}
	h.arrive(request{from: p, block: p.levels(t), at: p.clock})
	h.sent = slices.DeleteFunc(h.sent, func(r request) bool { return r.from == p && r.at == p.clock })
}

// replace ends a process without a word and begins another of the same name; a
// shared identity gets one more. Nothing of a process without start times is
// under way over a restart.
func (h *history) replace(t *rapid.T) {
	p, ok := h.some(t)
	if !ok || len(p.worker.processes) >= 4 {
		return
	}
	if p.worker.unknown {
		h.lose(func(r request) bool { return r.from.worker == p.worker })
	}
	p.worker.begin(t, int(h.now/time.Second)+1)
}

// goodbye is said with the last data, by the worker or by its supervisor. Under a name that several processes had,
// it would not be clear who says it.
func (h *history) goodbye(t *rapid.T) {
	p, ok := h.some(t)
	if !ok || !p.worker.byPID && len(p.worker.processes) > 1 || p.worker.shared {
		return
	}
	r := request{from: p, block: p.collect(t), at: p.clock, goodbye: true, reported: rapid.Bool().Draw(t, "reported")}
	if len(r.block.Items) > 0 {
		h.arrive(r)
	}
}

// relayout changes a histogram's bounds in mid-life.
func (h *history) relayout(t *rapid.T) {
	if p, ok := h.some(t); ok {
		p.relayout(t)
	}
}

func (h *history) lose(which func(request) bool) { h.held = slices.DeleteFunc(h.held, which) }
