package core

import "fmt"

// Event is something a person should hear of: what happened to which worker
// and metric, and what to do about it.
type Event struct {
	Warn   bool
	Text   string
	Worker string
	Metric string
	Remedy string
}

// maxEvents bounds what waits to be taken. What is beyond is a repetition to the reader.
const maxEvents = 100

func (t *Table) tell(e Event) {
	if len(t.events) < maxEvents {
		t.events = append(t.events, e)
	}
}

// Events hands over what has happened since the last call.
func (t *Table) Events() []Event {
	e := t.events
	t.events = nil
	return e
}

// noteDescription says once that a metric is described in two ways. The first
// stays: a description does not identify.
func (t *Table) noteDescription(f *family, other string) {
	if f.warned {
		return
	}
	f.warned = true
	t.tell(Event{
		Warn: true, Metric: f.name,
		Text:   fmt.Sprintf("the metric comes with another description, %q; the first one stays, %q", other, f.description),
		Remedy: "let all workers describe the metric in the same words",
	})
}

// noteConflict warns once if a metric's name is already used with another kind
// or unit: they are different metrics to every reader of the output.
func (t *Table) noteConflict(f *family) {
	first, ok := t.kinds[f.name]
	switch {
	case !ok:
		if len(t.kinds) < t.opt.MaxSeries {
			t.kinds[f.name] = f
		}
	case first.kind != f.kind:
		t.tell(Event{
			Warn: true, Metric: f.name,
			Text:   "the metric comes as two kinds, which are two metrics in the output",
			Remedy: "give one of them another name",
		})
	case identifyingUnit(first.unit) != identifyingUnit(f.unit):
		t.tell(Event{
			Warn: true, Metric: f.name,
			Text:   fmt.Sprintf("the metric comes in units %q and %q, which are two metrics in the output", first.unit, f.unit),
			Remedy: "let all workers use one unit",
		})
	}
}
