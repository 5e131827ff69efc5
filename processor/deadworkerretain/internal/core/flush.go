package core

import (
	"slices"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
)

// Flush is one consistent cut of all series. Between [Table.BeginFlush] and the
// end of [Flush.Step] the table may be used; a series that is about to change,
// or to go, is first taken as it was at the cut.
type Flush struct {
	id    uint32
	emit  bool
	saved *Checkpoint
	t     *Table
	time  int64
	at    int
	end   int
	taken []sample
	// sizes is how many of them each family has, and exemplars what they have that
	// few have.
	sizes     sizes
	exemplars map[*series][]pmetric.Exemplar
	ended     []ending
	// gone is, by whether they are instantaneous, the last flush before the cut
	// that held a series which has gone since.
	gone map[bool]int64
}

// ending is a series that ended since the last flush.
type ending struct {
	key    Key
	family *family
	attrs  pcommon.Map
	start  int64
}

// clockStep is how far the clock must step back to be followed. Below that
// point times go on just above the last one.
const clockStep = 5 * time.Minute

// BeginCheckpoint makes a cut for the state on disk alone. journal is the number
// of the next journal record.
func (t *Table) BeginCheckpoint(now Instant, journal uint64) *Flush {
	t.flushes++
	t.flush = &Flush{id: t.flushes, t: t, end: len(t.slots.all), saved: t.beginCheckpoint(now, journal)}
	return t.flush
}

// BeginFlush makes the cut. Only one flush runs at a time. journal is the number
// of the next journal record; it means nothing without durable state.
func (t *Table) BeginFlush(now Instant, journal uint64) *Flush {
	t.flushes++
	at := now.Wall
	if at <= t.lastFlush && t.lastFlush-at <= int64(clockStep) {
		at = t.lastFlush + 1
	}
	t.lastFlush = at
	f := &Flush{
		id: t.flushes, emit: true, t: t, time: at, end: len(t.slots.all),
		gone: map[bool]int64{false: t.seriesGone, true: t.levelsGone},
	}
	f.taken = make([]sample, 0, len(t.series))
	f.sizes.of = map[*family]int{}
	f.ended = t.takeEnded()
	if t.unsaved.on {
		f.saved = t.beginCheckpoint(now, journal)
	}
	t.flush = f
	return f
}

// takeEnded leaves out series that have begun again since they ended and have
// something to show.
func (t *Table) takeEnded() []ending {
	ended := slices.DeleteFunc(t.ended, func(e ending) bool {
		s, again := t.series[e.key]
		return again && s.used
	})
	t.ended = nil
	return ended
}

// maxEnded bounds what waits to be said while nothing is accepted downstream.
const maxEnded = 100_000

// Refused puts back what only one flush says, after the flush was refused
// downstream. Totals need no such care.
func (t *Table) Refused(f *Flush) {
	t.ended = append(t.ended, f.ended...)
	if over := len(t.ended) - maxEnded; over > 0 {
		t.ended = slices.Delete(t.ended, 0, over)
	}
}

// Step takes some more series and reports whether any are left. When it
// reports false the flush has ended and [Flush.Metrics] may be called, without
// the table.
func (f *Flush) Step() (more bool) { return f.step(512) }

func (f *Flush) step(steps int) (more bool) {
	if f.saved != nil && f.saved.step(steps) {
		return true
	}
	for range steps {
		if f.at == f.end {
			f.t.flush = nil
			f.sizes.done()
			return false
		}
		if s := f.t.slots.all[f.at]; s != nil && s.collected != f.id {
			f.collect(s)
		}
		f.at++
	}
	return true
}

// Checkpoint is the state on disk that goes with the cut, or nil without durable state.
func (f *Flush) Checkpoint() *Checkpoint { return f.saved }

// collect takes a series as it is at the cut: for the output, and after that,
// since its start may become final, for the state on disk.
func (f *Flush) collect(s *series) {
	s.collected = f.id
	if f.emit {
		f.take(s)
	}
	if f.saved != nil {
		f.saved.series(s, f.emit)
	}
}
