package deadworkerretain_test

import (
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario"
)

const (
	flushInterval = time.Second
	// staleAfter never falls on a flush, so that nobody has to know who comes first.
	staleAfter = 45*time.Second + 250*time.Millisecond
	// longest and goodbyeKeeps keep a history within what tombstones keep.
	longest      = 50 * time.Minute
	goodbyeKeeps = 5*time.Minute - 10*time.Second
	// collection is longer than a life's first collection.
	collection = 7 * time.Second
	// quietFor is longer than any tombstone is kept.
	quietFor = 65 * time.Minute
)

// history makes up what workers do.
type history struct {
	split, baselines bool
	stored           bool // there is storage, so that the collector can restart
	steps            []step

	now     time.Duration
	began   time.Duration // when the collector last started
	workers []*worker
	held    []request // sent, but still under way
	sent    []request // arrived, and may be sent again
}

// step is one thing that happens: the clock moves, then requests arrive in one
// push, or there is a flush, or an end of everything.
type step struct {
	push  []request
	wait  time.Duration
	flush bool
	quiet bool
	// restart is "restart", or "crash", which only follows a flush: what came
	// after it would be lost.
	restart string
}

// request is what one process sends at once.
type request struct {
	from    *process
	block   scenario.Block
	at      int // the time of its points
	goodbye bool
	// reported is whether the goodbye is a supervisor's report of the death.
	reported bool
}

func (r *request) farewell() *scenario.Signal {
	if r.reported {
		return &scenario.Signal{State: "terminated", Reason: "reported"}
	}
	return &scenario.Signal{State: "goodbye"}
}

func newHistory(t *rapid.T) *history {
	return &history{
		split:     rapid.Bool().Draw(t, "split"),
		baselines: rapid.IntRange(0, 3).Draw(t, "baselines") == 0,
		stored:    rapid.IntRange(0, 2).Draw(t, "stored") == 0,
	}
}

// arrive delivers requests in one push. Where first values are baselines, it
// does so in a life's first moment or well after its first collection. What the
// oracle does not know is lost on the way.
func (h *history) arrive(requests ...request) {
	var wait time.Duration
	for _, r := range requests {
		if l := r.from.life; h.baselines && l.known && h.now-l.born > 0 && h.now-l.born <= collection {
			wait = collection
		}
	}
	requests = slices.DeleteFunc(requests, func(r request) bool {
		return r.from.life.known && !r.from.life.admits(&r, h.now+wait, h.baselines, r.from.known)
	})
	if len(requests) == 0 {
		return
	}
	h.now += wait
	h.steps = append(h.steps, step{push: requests, wait: wait})
	h.sent = append(h.sent, requests...)
	if len(h.sent) > 8 {
		h.sent = h.sent[len(h.sent)-8:]
	}
	for _, r := range inTimeOrder(requests) {
		r.from.known = true
		r.from.life.hear(&r, h.now)
	}
}

// inTimeOrder is how requests count that arrive in one push.
func inTimeOrder(requests []request) []request {
	return slices.SortedStableFunc(slices.Values(requests), func(a, b request) int { return a.at - b.at })
}

func (h *history) wait(d time.Duration) {
	if h.now+d < longest {
		h.now += d
		h.steps = append(h.steps, step{wait: d})
	}
}

func (h *history) flush() {
	h.now = nextFlush(h.now, h.began)
	h.steps = append(h.steps, step{flush: true})
}

func nextFlush(now, began time.Duration) time.Duration {
	return began + (now - began).Truncate(flushInterval) + flushInterval
}

func (h *history) restart(how string) {
	if h.now >= longest-collection {
		return // there was no time left to wait
	}
	h.began = h.now
	h.steps = append(h.steps, step{restart: how})
}
