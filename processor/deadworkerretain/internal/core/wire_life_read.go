package core

import (
	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

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
