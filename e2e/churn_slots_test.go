package e2e

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/otelcol-workers/otelcol-workers/e2e/collector"
	"github.com/otelcol-workers/otelcol-workers/e2e/fleet"
	"github.com/otelcol-workers/otelcol-workers/e2e/worker"
)

// slot is a place in a fleet, held by one worker after another.
type slot struct {
	name    string
	kind    kind
	options fleet.Options
	book    *ledger
	rand    *rand.Rand

	lives  int
	worker *fleet.Worker
	todo   []way
}

// kind is how the workers of a slot tell who they are.
type kind struct {
	// id is the attribute with the name of the slot, or of the life (perLife).
	id      string
	perLife bool
	// header takes the id out of the resource, into this header.
	header string
	// shared is a name that several slots share at the same time.
	shared string
	// detect adds host.name and process.pid.
	detect bool
	http   bool
	delta  bool
	// staging is another environment.
	staging bool
}

var kinds = map[string]kind{
	"instance-1":   {id: "service.instance.id", perLife: true},
	"instance-2":   {id: "service.instance.id", perLife: true, http: true},
	"slot-1":       {id: "service.instance.id", detect: true},
	"slot-2":       {id: "service.instance.id", detect: true, http: true},
	"slot-no-pid":  {id: "service.instance.id"},
	"prefork-1":    {id: "service.instance.id", shared: "prefork"},
	"prefork-2":    {id: "service.instance.id", shared: "prefork"},
	"worker-id":    {id: "worker.id", detect: true},
	"host-and-pid": {detect: true},
	"header-http":  {header: "x-worker-id", http: true},
	"header-grpc":  {header: "x-worker-id"},
	"delta":        {id: "worker.id", detect: true, delta: true},
	"staging":      {id: "service.instance.id", shared: "slot-1", detect: true, staging: true},
}

func newSlots(c *collector.Collector, book *ledger, seed uint64) []*slot {
	var slots []*slot
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		k := kinds[name]
		options := fleet.Options{Service: "shop", Delta: k.delta}
		options.Detect = k.detect
		// Well below stale_after, so that only who is stalled seems dead.
		options.Heartbeat = 200 * time.Millisecond
		if k.http {
			options.HTTP = c.Addr("http")
		} else {
			options.GRPC = c.Addr("grpc")
		}
		slots = append(slots, &slot{name: name, kind: k, options: options, book: book, rand: newRand(seed, len(slots))})
	}
	return slots
}

// tellsLivesApart reports whether the collector can see each life of the slot
// by itself, and so shows when one of two has died.
func (k kind) tellsLivesApart() bool { return k.detect || k.perLife }

func (k kind) environment() string {
	if k.staging {
		return "staging"
	}
	return "production"
}

// open starts the slot's next worker.
func (s *slot) open(ctx context.Context) error {
	s.lives++
	options := s.options
	options.Name = fmt.Sprintf("%s#%d", s.name, s.lives)
	if s.kind.tellsLivesApart() {
		options.Life = options.Name
	}
	options.Resource = map[string]string{"deployment.environment.name": s.kind.environment()}
	id := s.name
	switch {
	case s.kind.shared != "":
		id = s.kind.shared
	case s.kind.perLife:
		id = options.Name
	}
	if s.kind.header != "" {
		options.Headers = map[string]string{s.kind.header: id}
	} else if s.kind.id != "" {
		options.Resource[s.kind.id] = id
	}
	w, err := fleet.Start(ctx, options)
	if err != nil {
		return err
	}
	s.book.born(w, s.kind)
	s.worker = w
	return s.serve(ctx, w)
}

// close ends the slot's worker.
func (s *slot) close(ctx context.Context) error { return s.end(ctx, s.worker, goodbye) }

// work makes the worker count a few jobs, without a push.
func (s *slot) work(ctx context.Context, w *fleet.Worker) error {
	seconds := make([]float64, 1+s.rand.IntN(5))
	for i := range seconds {
		seconds[i] = float64(1+s.rand.IntN(128)) / 8
	}
	return w.Work(ctx, worker.Queues[s.rand.IntN(len(worker.Queues))], seconds...)
}

// serve makes the worker count and push, a few times.
func (s *slot) serve(ctx context.Context, w *fleet.Worker) error {
	for range 1 + s.rand.IntN(3) {
		if err := s.work(ctx, w); err != nil {
			return err
		}
		if err := w.Push(ctx); err != nil {
			return err
		}
	}
	return nil
}
