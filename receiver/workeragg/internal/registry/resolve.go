package registry

import (
	"cmp"
	"slices"
	"strconv"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// Query is how a signal without data names a worker and one of its lives.
type Query struct {
	// Name is a value of any candidate, or of the header in the worker's pushes.
	Name string
	// Incarnation and PID name the life; empty and 0 do not.
	Incarnation string
	PID         int64
	// Resource holds further attributes: a worker that contradicts one is not meant.
	Resource pcommon.Map
}

// NamesLife reports whether the query says which life it means.
func (q Query) NamesLife() bool { return q.Incarnation != "" || q.PID != 0 }

// Target is where a signal goes.
type Target struct {
	// Resource carries the signal: the worker's last known one with no life
	// attributes but those of the query. Which life a signal that names none
	// means is for the processor to say.
	Resource pcommon.Resource
	// Life is the entry that the signal is about, nil if the registry cannot tell.
	Life *Worker
}

// Resolve finds where the worker's data goes. It returns false if the registry
// knows of no such worker, and an [AmbiguousError] if it knows of several.
func (r *Registry) Resolve(q Query) (Target, bool, error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	found := slices.DeleteFunc(r.byName[q.Name].all(), q.excludes)
	if len(found) == 0 {
		return Target{}, false, nil
	}
	if len(found) > 1 {
		if found = choose(found, q); !oneIdentity(found) {
			return Target{}, false, ambiguous(q.Name, found)
		}
	}
	latest := slices.MaxFunc(found, func(a, b *Worker) int { return cmp.Compare(a.seen.Load(), b.seen.Load()) })
	resource := pcommon.NewResource()
	latest.resource.CopyTo(resource)
	latest.nameLife(resource.Attributes(), q)
	return Target{Resource: resource, Life: q.life(r.lives(latest))}, true, nil
}

// lives are all lives of the same worker, also those that the name does not reach.
func (r *Registry) lives(w *Worker) []*Worker {
	return slices.DeleteFunc(r.byName[w.id].all(), func(other *Worker) bool { return other.identity != w.identity })
}

// choose leaves those workers out that are less likely to be meant than others.
func choose(found []*Worker, q Query) []*Worker {
	found = slices.DeleteFunc(slices.Clone(found), func(old *Worker) bool {
		return slices.ContainsFunc(found, func(w *Worker) bool { return w.supersedes(old) })
	})
	found = prefer(found, func(w *Worker) bool { return w.id == q.Name })
	found = prefer(found, func(w *Worker) bool { return slices.Contains(w.names, q.Name) })
	found = prefer(found, func(w *Worker) bool { return !w.announced.Load() })
	if oneIdentity(found) {
		return found
	}
	if q.NamesLife() {
		found = prefer(found, q.matches)
	}
	return prefer(found, func(w *Worker) bool { return !w.dead.Load() })
}

// prefer keeps those for whom good holds, or all if it holds for none.
func prefer(all []*Worker, good func(*Worker) bool) []*Worker {
	if !slices.ContainsFunc(all, good) {
		return all
	}
	return slices.DeleteFunc(all, func(w *Worker) bool { return !good(w) })
}

func oneIdentity(all []*Worker) bool {
	return !slices.ContainsFunc(all, func(w *Worker) bool { return w.identity != all[0].identity })
}

// life is the one life among those of a worker that the query is about.
func (q Query) life(lives []*Worker) *Worker {
	means := func(w *Worker) bool { return !w.dead.Load() }
	if q.NamesLife() {
		means = q.matches
	} else if len(lives) == 1 {
		return lives[0]
	}
	var found *Worker
	for _, w := range lives {
		if !means(w) {
			continue
		}
		if found != nil {
			return nil
		}
		found = w
	}
	return found
}

func (q Query) matches(w *Worker) bool {
	attrs := w.resource.Attributes()
	return (q.Incarnation == "" || text(attrs, lifecycle.AttrIncarnation) == q.Incarnation) &&
		(q.PID == 0 || text(attrs, lifecycle.AttrPID) == strconv.FormatInt(q.PID, 10))
}

// nameLife makes a copy of the worker's resource name the query's life and no
// other. A pid that is part of the worker's name stays.
func (w *Worker) nameLife(attrs pcommon.Map, q Query) {
	attrs.RemoveIf(func(key string, _ pcommon.Value) bool {
		return slices.Contains(lifecycle.LifeAttributes, key) && !slices.Contains(lifecycle.Candidates[w.rank], key)
	})
	if q.Incarnation != "" {
		attrs.PutStr(lifecycle.AttrIncarnation, q.Incarnation)
	}
	if q.PID != 0 {
		attrs.PutInt(lifecycle.AttrPID, q.PID)
	}
}

// excludes reports whether the query contradicts what names the worker.
func (q Query) excludes(w *Worker) bool {
	attrs := w.resource.Attributes()
	if q.PID != 0 && slices.Contains(lifecycle.Candidates[w.rank], lifecycle.AttrPID) && text(attrs, lifecycle.AttrPID) != strconv.FormatInt(q.PID, 10) {
		return true
	}
	if q.Resource == (pcommon.Map{}) {
		return false
	}
	for _, candidate := range lifecycle.Candidates {
		if contradicts(attrs, q.Resource, slices.DeleteFunc(slices.Clone(candidate), isLifeAttribute)) {
			return true
		}
	}
	return contradicts(attrs, q.Resource, lifecycle.GroupAttributes)
}

func isLifeAttribute(key string) bool { return slices.Contains(lifecycle.LifeAttributes, key) }
