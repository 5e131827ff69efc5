package core

// dipsToWarn is how many dips a life may have before its owner is told.
const dipsToWarn = 3

// hiddenReset decides about a point that is later and lower than its run
// allows. It is a dip, as from a second process that nothing tells apart, until
// every distinct point has been lower for as long as staleness takes: then the
// process must have begun again without showing it in the start time.
func (a *applying) hiddenReset(l *life, s *stream, r *run, p *point) bool {
	d := &s.extend().dip
	if !d.active || d.start != r.start {
		*d = dip{active: true, start: r.start, since: a.now.Mono, t: p.t}
		a.dipped(l, s)
		return false
	}
	if p.t <= d.t {
		return false
	}
	d.t = p.t
	if a.now.Mono-d.since < int64(l.staleAfter(a.t.opt)) {
		return false
	}
	d.active = false
	return true
}

func (a *applying) dipped(l *life, s *stream) {
	if l.dips++; l.dips != dipsToWarn {
		return
	}
	a.t.tell(Event{
		Warn: true, Worker: l.name(a.t.opt), Metric: s.series.family.name,
		Text:   "values step back and forth under one start time: several processes seem to push as one, and the total undercounts",
		Remedy: "create the meter provider after the fork, or give every process an identity of its own",
	})
}
