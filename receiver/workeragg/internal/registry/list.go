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
}

// List returns all lives, in the order of their ids.
func (r *Registry) List() []Info {
	r.mu.RLock()
	defer r.mu.RUnlock()
	all := make([]*Worker, 0, len(r.byKey))
	for _, w := range r.byKey {
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b *Worker) int {
		return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.key, b.key))
	})
	infos := make([]Info, len(all))
	for i, w := range all {
		infos[i] = Info{
			ID:          w.id,
			Attributes:  identifying(w.resource.Attributes()),
			State:       w.state,
			Reason:      w.reason,
			Cause:       w.cause,
			Source:      w.source,
			LastSeen:    time.Unix(0, w.seen.Load()).UTC(),
			Connections: w.conns,
		}
	}
	return infos
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
