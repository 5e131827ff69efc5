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
	ended []ending
	// gone is, by whether they are instantaneous, the last flush before the cut
	// that held a series which has gone since.
	gone map[bool]int64
}

// sample is the value of a series at the cut.
type sample struct {
	series    *series
	num       number
	dist      *distSample
	exemplars []pmetric.Exemplar
}

// distSample is a sample of a histogram, exponential histogram or summary.
type distSample struct {
	count                  uint64
	sum, min, max          float64
	hasSum, hasMin, hasMax bool
	bounds                 []float64
	buckets                []uint64
	exp                    *expo
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
	for n := 0; n < steps; n++ {
		if f.at == f.end {
			f.t.flush = nil
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

func (f *Flush) take(s *series) {
	if !s.used || s.family.kind.instantaneous() && len(s.members) == 0 {
		return
	}
	if !s.flushed {
		s.start = max(s.start, f.t.epoch, f.gone[s.family.kind.instantaneous()])
		s.flushed = true
	}
	s.shown = true
	out := sample{series: s, exemplars: s.exemplars}
	s.exemplars = nil
	switch {
	case s.family.kind.instantaneous():
		out.num = s.level()
	case s.dist != nil:
		out.dist = s.dist.sample(s.family.kind)
	default:
		out.num = s.emit()
	}
	f.taken = append(f.taken, out)
}

// emit never goes below what was emitted before. A double that is added to can
// lose an ulp when it is rounded; more than that the clamp never hides.
func (s *series) emit() number {
	if !s.num.float {
		return s.num.number()
	}
	s.prev = max(s.prev, s.num.f.hi)
	return ofFloat(s.prev)
}

func (t *distTotal) sample(k kind) *distSample {
	d := &distSample{
		count: t.count, sum: t.emitSum(), min: t.min, max: t.max, hasSum: !t.noSum,
		hasMin: t.started && !t.noMin && k != kindSummary, hasMax: t.started && !t.noMax && k != kindSummary,
	}
	switch {
	case k == kindHistogram:
		d.bounds, d.buckets = t.shown, t.explicit()
	case t.exp != nil:
		d.exp = t.exp.clone()
	}
	return d
}

// emitSum may fall only after negative observations.
func (t *distTotal) emitSum() float64 {
	sum := t.sum.hi
	if !t.sumFell {
		sum = max(sum, t.prevSum)
	}
	t.sumFell, t.prevSum = false, sum
	return sum
}
