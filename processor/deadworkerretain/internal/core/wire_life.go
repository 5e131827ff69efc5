package core

import (
	"fmt"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// A life has two records: who it is and which streams and levels it has, and what
// these have counted, in the same order. Ages are not written: they count from
// the restore.

func (e *encoder) life(l *life, known *layouts) {
	e.uint(l.id)
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
	e.uint(uint64(len(l.streams)))
	for i := range l.streams {
		e.key(l.streams[i].key)
		e.key(l.streams[i].series.key)
	}
	e.uint(uint64(len(l.levels)))
	for _, lv := range l.levels {
		e.key(lv.key)
		e.key(lv.series.key)
	}
	e.uint(uint64(len(known.all)))
	for _, layout := range known.all {
		e.bounds(layout.bounds)
	}
}

// times are what others are written as differences from: the streams of a life
// mostly have the same.
type times struct{ start, t int64 }

func (e *encoder) lifeCounted(l *life, known *layouts) {
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
	to := times{t: l.last}
	e.uint(uint64(len(l.streams)))
	for i := range l.streams {
		e.stream(&l.streams[i], known, &to)
	}
	e.uint(uint64(len(l.levels)))
	for _, lv := range l.levels {
		e.int(lv.t - to.t)
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

// runDist, in the flags of a run on disk, says that its value is no number.
const runDist runFlags = 1 << 7

// stream writes how many runs there are, and whether there is more than runs.
func (e *encoder) stream(s *stream, known *layouts, to *times) {
	n := uint64(0)
	for range s.runs {
		n++
	}
	more := s.ext != nil && (s.ext.windows != nil || len(s.ext.exemplars) > 0 || s.ext.apart != nil)
	e.uint(n<<1 | uint64(flag(more, 1)))
	for r := range s.runs {
		e.run(r, known, to)
	}
	if !more {
		return
	}
	e.windows(s.ext.windows)
	e.uint(uint64(len(s.ext.exemplars)))
	for run, t := range s.ext.exemplars {
		e.int(run)
		e.int(t)
	}
	e.bool(s.ext.apart != nil)
	if s.ext.apart != nil {
		e.apart(s.ext.apart)
	}
}

func (e *encoder) run(r *run, known *layouts, to *times) {
	flags := r.flags
	if r.dist != nil {
		flags |= runDist
	}
	e.flags(uint8(flags))
	e.int(r.start - to.start)
	e.int(r.t - to.t)
	*to = times{r.start, r.t}
	switch {
	case r.dist != nil:
		e.dist(r.dist, known)
	case r.is(runFloat):
		e.fixed(r.bits)
	default:
		e.int(r.number().int())
	}
}

func (e *encoder) apart(a *apart) {
	e.total(&a.num)
	e.bool(a.dist != nil)
	if a.dist != nil {
		e.distTotal(a.dist, nil)
	}
}

func (d *decoder) apart() *apart {
	a := &apart{num: d.total()}
	if d.bool() {
		a.dist = d.distTotal(nil)
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
	// bounds are the layouts of the runs.
	bounds [][]float64
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
	t           int64
	num         number
	windows     *windows
}

// life reads who a life is, and in format 1 what it has counted.
func (d *decoder) life() *lifeRecord {
	if d.version == 1 {
		return d.lifeV1()
	}
	l := &lifeRecord{id: d.uint(), resource: pcommon.NewMap()}
	d.who(l)
	for n := d.count(); n > 0 && d.err == nil; n-- {
		l.streams = append(l.streams, streamRecord{key: d.key(), series: d.key()})
	}
	for n := d.count(); n > 0 && d.err == nil; n-- {
		l.levels = append(l.levels, levelRecord{key: d.key(), series: d.key()})
	}
	for n := d.count(); n > 0 && d.err == nil; n-- {
		l.bounds = append(l.bounds, d.bounds())
	}
	return l
}

func (d *decoder) who(l *lifeRecord) {
	for n := d.count(); n > 0 && d.err == nil; n-- {
		l.keys = append(l.keys, d.key())
	}
	l.name, l.group = d.text(), d.key()
	for n := d.count(); n > 0 && d.err == nil; n-- {
		l.marks = append(l.marks, d.text())
	}
	l.instance, l.schemaURL = d.text(), d.text()
	d.attrs(l.resource)
	d.must(len(l.keys) > 0, "life %d has no name", l.id)
}

// standing reads how a life stands.
func (d *decoder) standing(l *lifeRecord) {
	l.alive = d.bool()
	l.state, l.reason, l.death, l.last = lifecycle.State(d.flags()), Reason(d.flags()), d.uint(), d.int()
	d.must(l.reason < reasons, "life %d died for reason %d, expected less than %d", l.id, l.reason, reasons)
	d.must(l.state.Valid() && l.alive == (l.state != lifecycle.Terminated) && l.alive == (l.death == 0),
		"life %d has state %d, alive %v, death %d, which do not go together", l.id, l.state, l.alive, l.death)
}

// lifeCounted reads what a life has counted whose other record has been read.
func (d *decoder) lifeCounted(l *lifeRecord) {
	id := d.uint()
	d.must(id == l.id, "life %d has the values of life %d", l.id, id)
	l.version = d.uint()
	d.standing(l)
	n := d.uint()
	d.must(n == uint64(len(l.streams)), "life %d has %d streams with values, expected %d", l.id, n, len(l.streams))
	to := times{t: l.last}
	for i := range l.streams {
		if d.err == nil {
			d.stream(&l.streams[i], &l.bounds, &to)
		}
	}
	n = d.uint()
	d.must(n == uint64(len(l.levels)), "life %d has %d levels with values, expected %d", l.id, n, len(l.levels))
	for i := range l.levels {
		lv := &l.levels[i]
		lv.t, lv.num, lv.windows = d.int()+to.t, d.number(), d.windows()
	}
}

func (d *decoder) stream(s *streamRecord, bounds *[][]float64, to *times) {
	n := d.uint()
	for more := n >> 1; more > 0 && d.err == nil; more-- {
		s.runs = append(s.runs, d.run(bounds, to))
	}
	if n&1 != 0 {
		d.beyondRuns(s)
	}
}

func (d *decoder) run(bounds *[][]float64, to *times) runRecord {
	r := runRecord{run: run{flags: runFlags(d.flags()), start: d.int() + to.start, t: d.int() + to.t}}
	*to = times{r.start, r.t}
	switch {
	case r.is(runDist):
		r.dist, r.bounds = d.dist(bounds)
	case r.is(runFloat):
		r.bits = d.fixed()
	default:
		r.setNumber(ofInt(d.int()))
	}
	r.flags &^= runDist
	return r
}

// beyondRuns reads what few streams have.
func (d *decoder) beyondRuns(s *streamRecord) {
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
}
