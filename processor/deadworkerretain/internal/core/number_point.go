package core

// numberPoint applies a point of a cumulative monotonic sum.
func (a *applying) numberPoint(l *life, s *stream, p *point) Outcome {
	r := &s.run
	if s.ext != nil || !r.is(runUsed) || r.start != p.start || r.is(runDelta) {
		r = s.find(p.start, func(r *run) bool { return p.num.compare(r.number()) >= 0 })
	}
	if r == nil {
		return a.firstNumber(l, s, p)
	}
	switch p.num.compare(r.number()) {
	case 1:
		if r.start == 0 && p.t <= r.t {
			return Late
		}
		a.addNumber(s, p.num.minus(r.number()))
		a.grown = true
		r.setNumber(p.num)
		a.accepted(l, s, r, p)
		return Accepted
	case 0:
		if p.t <= r.t {
			return Duplicate
		}
		a.accepted(l, s, r, p)
		return Accepted
	}
	switch {
	case p.t <= r.t:
		return Late
	case r.start == 0:
		// An unknown start: the value fell, so the process began again.
		// https://opentelemetry.io/docs/specs/otel/metrics/data-model/#cumulative-streams-handling-unknown-start-time
		a.addNumber(s, p.num.whole())
		a.grown = true
		a.t.setApart(s, r.number().whole())
		r.setNumber(p.num)
		a.accepted(l, s, r, p)
		return Accepted
	case !a.hiddenReset(l, s, r, p):
		return Dip
	}
	a.addNumber(s, p.num.whole())
	a.grown = true
	a.t.douse(l, s, r)
	a.limitRuns(l, s)
	r = s.begin(run{start: p.start})
	r.setNumber(p.num)
	a.accepted(l, s, r, p)
	return Accepted
}

func (a *applying) addNumber(s *stream, inc increment) {
	to := s.series
	a.t.touch(to)
	if to.num.add(inc) {
		// From int to double: what was emitted as an int must not be undercut.
		to.prev = max(to.prev, roundedUp(to.num.i))
	}
}

func (a *applying) firstNumber(l *life, s *stream, p *point) Outcome {
	out := a.first(l, s, p)
	if out == Accepted {
		a.addNumber(s, p.num.whole())
		a.inherited(l, s, p)
	} else {
		a.addNumber(s, p.num.zero())
		a.t.setApart(s, p.num.whole().negative())
	}
	a.moving(l, s, p, p.num.compare(s.run.number()))
	a.limitRuns(l, s)
	r := s.begin(run{start: p.start})
	r.setNumber(p.num)
	a.begun(l, s, r, p, out)
	return out
}
