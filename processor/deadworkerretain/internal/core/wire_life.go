package core

import (
	"fmt"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// A life's record: who it is, how it stands, its streams with their runs, its
// levels. Ages are not written: they count from the restore.

func (e *encoder) life(l *life) {
	e.uint(l.id)
	e.uint(l.version)
	e.bool(l.alive())
	e.flags(uint8(l.state))
	var end death
	if !l.alive() {
		end = l.death
	}
	e.flags(uint8(end.reason))
	e.uint(end.serial)
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
	e.uint(uint64(len(l.streams)))
	for i := range l.streams {
		e.stream(&l.streams[i], known)
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
	ext := s.ext
	if ext == nil {
		ext = &extension{}
	}
	e.windows(ext.windows)
	e.uint(uint64(len(ext.exemplars)))
	for run, t := range ext.exemplars {
		e.int(run)
		e.int(t)
	}
	e.bool(ext.apart != nil)
	if ext.apart != nil {
		e.apart(ext.apart)
	}
}

func (e *encoder) apart(a *apart) {
	e.total(&a.num)
	e.bool(a.dist != nil)
	if a.dist != nil {
		e.distTotal(a.dist)
	}
}

func (d *decoder) apart() *apart {
	a := &apart{num: d.total()}
	if d.bool() {
		a.dist = d.distTotal()
	}
	return a
}

// windows are written from the oldest. They follow each other closely, so that
// differences are short.
func (e *encoder) windows(w *windows) {
	if w == nil {
		e.uint(0)
		return
	}
	first := w.n - min(w.n, keptWindows)
	e.uint(uint64(w.n - first))
	last := int64(0)
	for i := first; i < w.n; i++ {
		k := w.kept[i%keptWindows]
		e.int(k.start - last)
		e.int(k.t - k.start)
		e.uint(k.value)
		last = k.t
	}
}

func (d *decoder) windows() *windows {
	n := d.count()
	if n > keptWindows {
		d.fail(fmt.Errorf("%d delta windows, expected %d at most", n, keptWindows))
	}
	if n == 0 || d.err != nil {
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
	version   uint64
	alive     bool
	state     lifecycle.State
	reason    Reason
	death     uint64
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
	apart       *apart
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
	l := &lifeRecord{id: d.uint(), version: d.uint(), resource: pcommon.NewMap()}
	l.alive = d.bool()
	l.state, l.reason, l.death, l.last = lifecycle.State(d.flags()), Reason(d.flags()), d.uint(), d.int()
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
	d.must(len(l.keys) > 0, "life %d has no name", l.id)
	d.must(l.reason < reasons, "life %d died for reason %d, expected less than %d", l.id, l.reason, reasons)
	d.must(l.state.Valid() && l.alive == (l.state != lifecycle.Terminated) && l.alive == (l.death == 0),
		"life %d has state %d, alive %v, death %d, which do not go together", l.id, l.state, l.alive, l.death)
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
	if d.bool() {
		s.apart = d.apart()
	}
	return s
}
