package registry

import (
	"hash/maphash"
	"slices"
	"sync"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
)

// Registry is the memory of workers. Its methods may be called at once.
type Registry struct {
	max         int
	forgetAfter time.Duration
	events      Events
	seed        maphash.Seed

	mu     sync.RWMutex
	byHash map[uint64]*Worker
	byKey  map[string]*Worker
	byName map[string]*owners
}

// Events are what the registry tells of.
type Events struct {
	// Resized is called with each change of the number of lives, under the
	// registry's lock.
	Resized func(by int64)
	// Lost is called with living workers whose last connection has closed, and
	// when that was.
	Lost func(workers []*Worker, since int64)
}

// New makes a registry of at most maxWorkers lives, each forgotten when nothing
// has been heard of it for forgetAfter.
func New(maxWorkers int, forgetAfter time.Duration, events Events) *Registry {
	return &Registry{
		max:         maxWorkers,
		forgetAfter: forgetAfter,
		events:      events,
		seed:        maphash.MakeSeed(),
		byHash:      map[uint64]*Worker{},
		byKey:       map[string]*Worker{},
		byName:      map[string]*owners{},
	}
}

// Sighting is what a push or signal shows of a worker beside its resource.
type Sighting struct {
	// Now is the time of arrival, in nanoseconds.
	Now int64
	// Newest is the time of the newest point that came with it, 0 if none did.
	Newest int64
	// Conn is the gRPC connection that it came over, nil if none.
	Conn *Conn
	// Metrics says that the metrics pipeline hears of the worker by this.
	Metrics bool
	// Announced says that the worker is known from a signal, which may not carry
	// all of its resource.
	Announced bool
}

// Observe takes note of the worker that a resource names; nil if it names none.
// The resource is copied if it is new and otherwise only read.
func (r *Registry) Observe(resource pcommon.Resource, s Sighting) *Worker {
	h := hash(r.seed, resource.Attributes())
	r.mu.RLock()
	w := r.byHash[h]
	r.mu.RUnlock()
	if w == nil {
		if w = r.learn(resource, h, s); w == nil {
			return nil
		}
	}
	r.Sighted(w, s)
	return w
}

// Sighted takes note of a sign of life of a worker.
func (r *Registry) Sighted(w *Worker, s Sighting) {
	raise(&w.seen, s.Now)
	if s.Metrics {
		raise(&w.reported, s.Now)
	}
	if !s.Announced && w.announced.Load() {
		w.announced.Store(false)
	}
	if s.Newest > w.newest.Load() {
		raise(&w.newest, s.Newest)
		if w.dead.Load() {
			r.returned(w)
		}
	}
	r.connected(w, s.Conn, s.Now)
}

// learn makes or updates the entry of a resource that was never seen as it is.
func (r *Registry) learn(resource pcommon.Resource, h uint64, s Sighting) *Worker {
	fresh := newWorker(resource.Attributes())
	if fresh == nil {
		return nil
	}
	kept := pcommon.NewResource()
	resource.CopyTo(kept)

	r.mu.Lock()
	defer r.mu.Unlock()
	if w := r.byHash[h]; w != nil {
		return w
	}
	w := r.byKey[fresh.key]
	if w == nil {
		w = fresh
		w.announced.Store(s.Announced)
		raise(&w.seen, s.Now)
		if !s.Announced {
			r.forgetAnnounced(w, resource.Attributes())
		}
		r.byKey[w.key] = w
		r.events.Resized(1)
		r.index(w, w.names)
	} else {
		r.unindex(w, w.names)
		w.names = fresh.names
		if slices.Contains(w.names, w.alias) {
			w.alias = ""
		}
		r.index(w, w.names)
	}
	w.resource = kept
	delete(r.byHash, w.hashes[w.turn])
	w.hashes[w.turn] = h
	w.turn = (w.turn + 1) % len(w.hashes)
	r.byHash[h] = w
	r.makeRoom(w)
	return w
}

// Alias makes a worker answer to one name more, the one in its pushes' header.
func (r *Registry) Alias(w *Worker, name string) {
	r.mu.RLock()
	known := w.answersTo(name)
	r.mu.RUnlock()
	if known {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if w.gone || w.answersTo(name) {
		return
	}
	if w.alias != "" {
		r.unindex(w, []string{w.alias})
	}
	w.alias = name
	r.index(w, []string{name})
}

// Len is the number of lives.
func (r *Registry) Len() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.byKey)
}

// AnswersTo reports whether a worker is meant by a name; nobody answers to any.
func (r *Registry) AnswersTo(w *Worker, name string) bool {
	if w == nil {
		return false
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	return w.answersTo(name)
}
