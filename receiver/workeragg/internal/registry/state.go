package registry

import (
	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// Applied takes note of a signal that the pipeline has accepted for this life.
// States only move forward, but for a death that was a guess: the worker's own
// word undoes it.
func (r *Registry) Applied(w *Worker, s lifecycle.Signal, source string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	wrong := w.state == lifecycle.Terminated && lifecycle.IsGuess(w.reason)
	if s.State < w.state && !wrong {
		return
	}
	w.state, w.reason, w.cause, w.source = s.State, s.Reason, s.Cause, source
	w.dead.Store(s.State == lifecycle.Terminated)
}

// returned takes a death back: a point has come that is later than all before.
func (r *Registry) returned(w *Worker) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if w.state == lifecycle.Terminated {
		w.state, w.reason, w.cause, w.source = lifecycle.Running, "", "", ""
		w.dead.Store(false)
	}
}
