package core

import "fmt"

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
