package core

import (
	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// A life's record: who it is, how it stands, its streams with their runs, its
// levels. Ages are not written: they count from the restore.

const (
	lifeAlive = 1 << iota
	lifeShared
)

// life writes a life; with only, just the streams that only wants.
func (e *encoder) life(l *life, only func(*stream) bool) {
	e.uint(l.id)
	e.flags(flag(l.alive(), lifeAlive) | flag(l.identity.name != "", lifeShared))
	e.flags(uint8(l.state))
	e.flags(uint8(l.death.reason))
	e.int(l.last)
	e.uint(uint64(len(l.identity.keys)))
	for _, k := range l.identity.keys {
		e.key(k)
	}
	e.text(l.identity.name)
	e.key(l.identity.group.key)
	e.uint(uint64(len(l.marks)))
	for _, m := range l.marks {
		e.text(m)
	}
	e.text(l.instance)
	e.text(l.schemaURL)
	e.attrs(l.resource)

	known := layouts{}
	n := 0
	for i := range l.streams {
		if only == nil || only(&l.streams[i]) {
			n++
		}
	}
	e.uint(uint64(n))
	for i := range l.streams {
		if s := &l.streams[i]; only == nil || only(s) {
			e.stream(s, known)
		}
	}
	e.uint(uint64(len(l.levels)))
	for _, lv := range l.levels {
		e.key(lv.key)
		e.key(lv.series.key)
		e.uint(uint64(lv.series.family.slot))
		e.int(lv.t)
		e.number(lv.num)
		e.windows(lv.windows)
	}
}

func (e *encoder) number(n number) {
	e.bool(n.float)
	if n.float {
		e.fixed(n.bits)
	} else {
		e.int(n.int())
	}
}

func (d *decoder) number() number {
	if d.bool() {
		return number{bits: d.fixed(), float: true}
	}
	return ofInt(d.int())
}

func (e *encoder) stream(s *stream, known layouts) {
	e.key(s.key)
	e.key(s.series.key)
	n := uint64(0)
	for range s.runs {
		n++
	}
	e.uint(n)
	for r := range s.runs {
		e.flags(uint8(r.flags))
		e.int(r.start)
		e.int(r.t)
		e.bool(r.dist != nil)
		if r.dist != nil {
			e.dist(r.dist, known)
		} else {
			e.number(r.number())
		}
	}
	var w *windows
	var exemplars map[int64]int64
	if s.ext != nil {
		w, exemplars = s.ext.windows, s.ext.exemplars
	}
	e.windows(w)
	e.uint(uint64(len(exemplars)))
	for run, t := range exemplars {
		e.int(run)
		e.int(t)
	}
}

// windows follow each other closely, so that differences are short.
func (e *encoder) windows(w *windows) {
	if w == nil {
		e.uint(0)
		return
	}
	kept := w.kept[:min(w.n, keptWindows)]
	e.uint(uint64(len(kept)))
	last := int64(0)
	for _, k := range kept {
		e.int(k.start - last)
		e.int(k.t - k.start)
		e.uint(k.value)
		last = k.t
	}
}

func (d *decoder) windows() *windows {
	n := d.count()
	if n == 0 || n > keptWindows {
		return nil
	}
	w := &windows{n: uint32(n)}
	last := int64(0)
	for i := range n {
		k := &w.kept[i]
		k.start = d.int() + last
		k.t = d.int() + k.start
		k.value = d.uint()
		last = k.t
	}
	return w
}

// lifeRecord is a life as it was written, not yet part of a table.
type lifeRecord struct {
	id        uint64
	alive     bool
	state     lifecycle.State
	reason    Reason
	last      int64
	keys      []Key
	name      string
	group     Key
	marks     []string
	instance  string
	schemaURL string
	resource  pcommon.Map
	streams   []streamRecord
	levels    []levelRecord
}

type streamRecord struct {
	key, series Key
	runs        []runRecord
	windows     *windows
	exemplars   map[int64]int64
}

type runRecord struct {
	run
	bounds []float64
}

type levelRecord struct {
	key, series Key
	family      uint32
	t           int64
	num         number
	windows     *windows
}

func (d *decoder) life() *lifeRecord {
	l := &lifeRecord{id: d.uint(), resource: pcommon.NewMap()}
	l.alive = d.flags()&lifeAlive != 0
	l.state, l.reason, l.last = lifecycle.State(d.flags()), Reason(d.flags()), d.int()
	for n := d.count(); n > 0 && d.err == nil; n-- {
		l.keys = append(l.keys, d.key())
	}
	l.name, l.group = d.text(), d.key()
	for n := d.count(); n > 0 && d.err == nil; n-- {
		l.marks = append(l.marks, d.text())
	}
	l.instance, l.schemaURL = d.text(), d.text()
	d.attrs(l.resource)
	var known [][]float64
	for n := d.count(); n > 0 && d.err == nil; n-- {
		l.streams = append(l.streams, d.stream(&known))
	}
	for n := d.count(); n > 0 && d.err == nil; n-- {
		l.levels = append(l.levels, levelRecord{
			key: d.key(), series: d.key(), family: uint32(d.uint()), t: d.int(), num: d.number(), windows: d.windows(),
		})
	}
	if d.err == nil && (len(l.keys) == 0 || l.reason >= reasons || !l.state.Valid()) {
		d.fail(errShort)
	}
	return l
}

func (d *decoder) stream(known *[][]float64) streamRecord {
	s := streamRecord{key: d.key(), series: d.key()}
	for n := d.count(); n > 0 && d.err == nil; n-- {
		r := runRecord{run: run{flags: runFlags(d.flags()), start: d.int(), t: d.int()}}
		if d.bool() {
			r.dist, r.bounds = d.dist(known)
		} else {
			r.setNumber(d.number())
		}
		s.runs = append(s.runs, r)
	}
	s.windows = d.windows()
	if n := d.count(); n > 0 {
		s.exemplars = make(map[int64]int64, n)
		for ; n > 0 && d.err == nil; n-- {
			run := d.int()
			s.exemplars[run] = d.int()
		}
	}
	return s
}
