package core

// keptWindows is how many delta windows of a stream are remembered.
const keptWindows = 16

// window is one delta point: the time it covers and the hash of its value.
type window struct {
	start, t int64
	value    uint64
}

// windows remembers the last delta windows of a stream, so that a retry is
// counted once. https://opentelemetry.io/docs/specs/otel/metrics/data-model/#sums
type windows struct {
	kept [keptWindows]window
	n    uint32
}

// take judges a window and remembers it.
func (w *windows) take(in window) Outcome {
	out := Accepted
	for _, k := range w.kept[:min(w.n, keptWindows)] {
		if k == in {
			return Duplicate
		}
		if k.bounded() && in.bounded() && max(k.start, in.start) < min(k.t, in.t) {
			out = Overlap
		}
	}
	w.kept[w.n%keptWindows] = in
	w.n++
	if w.n == 2*keptWindows {
		w.n = keptWindows
	}
	return out
}

// bounded windows say when they began.
func (w *window) bounded() bool { return w.start != 0 && w.start < w.t }

// window judges a delta point. Without identity and without a start nothing
// tells a retry from another worker's equal window: those are added.
func (a *applying) window(l *life, w **windows, in window) Outcome {
	if l.identity.name == "" && !in.bounded() {
		return Accepted
	}
	if *w == nil {
		*w = &windows{}
	}
	return (*w).take(in)
}
