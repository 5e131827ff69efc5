package registry

import (
	"cmp"
	"slices"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// makeRoom forgets those heard of longest ago if there are too many. It takes a
// sixteenth at a time, so that a flood of newcomers does not sort all for each.
func (r *Registry) makeRoom(newcomer *Worker) {
	if len(r.byKey) <= r.max {
		return
	}
	type aged struct {
		*Worker
		seen int64
	}
	all := make([]aged, 0, len(r.byKey))
	for _, w := range r.byKey {
		if w != newcomer {
			all = append(all, aged{w, w.seen.Load()})
		}
	}
	slices.SortFunc(all, func(a, b aged) int { return cmp.Compare(a.seen, b.seen) })
	for _, w := range all[:min(len(all), r.max/16+1)] {
		r.forget(w.Worker)
	}
}

// Sweep forgets the workers that have been silent for too long and have no
// open connection.
func (r *Registry) Sweep(now time.Time) {
	limit := now.Add(-r.forgetAfter).UnixNano()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range r.byKey {
		if w.seen.Load() <= limit && w.conns == 0 {
			r.forget(w)
		}
	}
}

// Clear forgets all.
func (r *Registry) Clear() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range r.byKey {
		r.forget(w)
	}
}

func (r *Registry) forget(w *Worker) {
	w.gone = true
	delete(r.byKey, w.key)
	for _, h := range w.hashes {
		if r.byHash[h] == w {
			delete(r.byHash, h)
		}
	}
	r.unindex(w, w.names)
	if w.alias != "" {
		r.unindex(w, []string{w.alias})
	}
	r.events.Resized(-1)
}

// forgetAnnounced drops the entries that stood for a worker, with the little
// that its announcement said, until its data came.
func (r *Registry) forgetAnnounced(w *Worker, attrs pcommon.Map) {
	for _, other := range r.byName[w.id].all() {
		theirs := other.resource.Attributes()
		if other.announced.Load() && other.id == w.id &&
			!contradicts(attrs, theirs, lifecycle.GroupAttributes) &&
			!contradicts(attrs, theirs, lifecycle.LifeAttributes) {
			r.forget(other)
		}
	}
}
