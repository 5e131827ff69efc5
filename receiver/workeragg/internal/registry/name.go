package registry

import (
	"slices"
	"strconv"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// newWorker reads who a resource is; nil if it names nobody.
func newWorker(attrs pcommon.Map) *Worker {
	w := &Worker{rank: -1}
	for rank, candidate := range lifecycle.Candidates {
		name, ok := candidate.Name(attrs)
		if !ok {
			continue
		}
		if w.rank < 0 {
			w.rank, w.id = rank, name
		}
		if !slices.Contains(w.names, name) {
			w.names = append(w.names, name)
		}
	}
	if w.rank < 0 {
		return nil
	}
	var key strings.Builder
	key.WriteString(strconv.Itoa(w.rank))
	writePart(&key, w.id)
	writeAttributes(&key, attrs, lifecycle.GroupAttributes)
	w.identity = key.String()
	writeAttributes(&key, attrs, lifecycle.LifeAttributes)
	w.key = key.String()
	return w
}

func writeAttributes(key *strings.Builder, attrs pcommon.Map, names []string) {
	for _, name := range names {
		if v, ok := attrs.Get(name); ok {
			writePart(key, v.AsString())
		} else {
			key.WriteString(" -")
		}
	}
}

// writePart writes the length too, so that no two lists of parts are one key.
func writePart(key *strings.Builder, s string) {
	key.WriteByte(' ')
	key.WriteString(strconv.Itoa(len(s)))
	key.WriteByte(':')
	key.WriteString(s)
}

// supersedes reports whether w may be old under a new name: an attribute that
// names it better arrived late. Then old sends no more.
func (w *Worker) supersedes(old *Worker) bool {
	if w.rank >= old.rank || w.seen.Load() < old.seen.Load() {
		return false
	}
	ours, theirs := w.resource.Attributes(), old.resource.Attributes()
	if name, ok := lifecycle.Candidates[old.rank].Name(ours); !ok || name != old.id {
		return false
	}
	for _, key := range lifecycle.GroupAttributes {
		if text(ours, key) != text(theirs, key) {
			return false
		}
	}
	return !contradicts(ours, theirs, lifecycle.LifeAttributes)
}

// contradicts reports whether both have one of the attributes with different values.
func contradicts(a, b pcommon.Map, keys []string) bool {
	return slices.ContainsFunc(keys, func(key string) bool {
		va, inA := a.Get(key)
		vb, inB := b.Get(key)
		return inA && inB && va.AsString() != vb.AsString()
	})
}

func text(attrs pcommon.Map, key string) string {
	if v, ok := attrs.Get(key); ok {
		return v.AsString()
	}
	return ""
}

// SameWorker reports whether two lives are of one worker. Nil is nobody, and
// not the same as anybody.
func SameWorker(a, b *Worker) bool { return a != nil && b != nil && a.identity == b.identity }
