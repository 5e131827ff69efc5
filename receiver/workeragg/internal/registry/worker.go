package registry

import (
	"sync/atomic"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// Worker is one life that the registry knows. Times are in nanoseconds since
// the epoch, by the collector's clock unless said otherwise; 0 is never.
type Worker struct {
	// Fixed at birth.
	id       string // the name by the first candidate that it has
	rank     int    // which candidate that is
	identity string // candidate, name and group
	key      string // identity and life attributes

	seen      atomic.Int64 // last push or signal
	reported  atomic.Int64 // when the metrics pipeline last heard of it
	newest    atomic.Int64 // time of its newest point, by the worker's clock
	lost      atomic.Int64 // when its last connection closed
	dead      atomic.Bool  // state is terminated
	announced atomic.Bool  // known by signals only

	// Guarded by Registry.mu. A resource is replaced, never written to.
	resource pcommon.Resource
	hashes   [4]uint64 // of the resources that are this life's
	turn     int
	names    []string // all that it answers to, but for the alias
	alias    string
	state    lifecycle.State
	reason   string
	cause    string
	source   string
	conns    int
	gone     bool
}

// raise moves a time forward; pushes of one worker may be handled at once.
func raise(t *atomic.Int64, to int64) {
	for {
		have := t.Load()
		if have >= to || t.CompareAndSwap(have, to) {
			return
		}
	}
}

// DueForHeartbeat reports whether the metrics pipeline has heard nothing of the
// worker for the given time, and if so counts it as heard now.
func (w *Worker) DueForHeartbeat(now, every int64) bool {
	last := w.reported.Load()
	return now-last >= every && w.reported.CompareAndSwap(last, now)
}

// ID is the worker's name by the first candidate that it has.
func (w *Worker) ID() string { return w.id }
