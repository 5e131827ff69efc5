package registry

import (
	"cmp"
	"slices"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// Info is what the registry knows of one life.
type Info struct {
	ID          string
	Attributes  map[string]any
	State       lifecycle.State
	Reason      string
	Cause       string
	Source      string
	LastSeen    time.Time
	Connections int

	resource pcommon.Resource
	key      string
}

// List returns all lives, in the order of their ids.
func (r *Registry) List() []Info {
	listed := r.snapshot()
	// Outside of the lock: resources are never written to.
	for i := range listed {
		listed[i].Attributes = identifying(listed[i].resource.Attributes())
	}
	slices.SortFunc(listed, func(a, b Info) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.key, b.key))
	})
	return listed
}

func (r *Registry) snapshot() []Info {
	r.mu.RLock()
	defer r.mu.RUnlock()
	listed := make([]Info, 0, len(r.byKey))
	for _, w := range r.byKey {
		listed = append(listed, Info{
			ID:          w.id,
			State:       w.state,
			Reason:      w.reason,
			Cause:       w.cause,
			Source:      w.source,
			LastSeen:    time.Unix(0, w.seen.Load()).UTC(),
			Connections: w.conns,
			resource:    w.resource,
			key:         w.key,
		})
	}
	return listed
}

// identifying picks the attributes that say which worker, life and group this is.
func identifying(attrs pcommon.Map) map[string]any {
	picked := map[string]any{}
	pick := func(keys []string) {
		for _, key := range keys {
			if v, ok := attrs.Get(key); ok {
				picked[key] = v.AsRaw()
			}
		}
	}
	for _, candidate := range lifecycle.Candidates {
		pick(candidate)
	}
	pick(lifecycle.GroupAttributes)
	pick(lifecycle.LifeAttributes)
	return picked
}

// Resource is a copy of the worker's last known resource.
func (r *Registry) Resource(w *Worker) pcommon.Resource {
	r.mu.RLock()
	kept := w.resource
	r.mu.RUnlock()
	resource := pcommon.NewResource()
	kept.CopyTo(resource)
	return resource
}
