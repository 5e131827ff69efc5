package core

import "go.opentelemetry.io/collector/pdata/pcommon"

// Format 1 had one record for a life, with a stream's keys beside its runs.

func (d *decoder) lifeV1() *lifeRecord {
	l := &lifeRecord{id: d.uint(), version: d.uint(), resource: pcommon.NewMap()}
	d.standing(l)
	d.who(l)
	for n := d.count(); n > 0 && d.err == nil; n-- {
		l.streams = append(l.streams, d.streamV1(&l.bounds))
	}
	for n := d.count(); n > 0 && d.err == nil; n-- {
		lv := levelRecord{key: d.key(), series: d.key()}
		d.uint() // the number of the family
		lv.t, lv.num, lv.windows = d.int(), d.number(), d.windows()
		l.levels = append(l.levels, lv)
	}
	return l
}

func (d *decoder) streamV1(bounds *[][]float64) streamRecord {
	s := streamRecord{key: d.key(), series: d.key()}
	for n := d.count(); n > 0 && d.err == nil; n-- {
		r := runRecord{run: run{flags: runFlags(d.flags()), start: d.int(), t: d.int()}}
		if d.bool() {
			r.dist, r.bounds = d.dist(bounds)
		} else {
			r.setNumber(d.number())
		}
		s.runs = append(s.runs, r)
	}
	d.beyondRuns(&s)
	return s
}
