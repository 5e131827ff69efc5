package deadworkerretain_test

import (
	"slices"
	"time"
)

// inDomain reports whether the oracle knows what to say about a history. Made
// up histories are, but shortened ones need not be.
func inDomain(h *history, steps []step) bool {
	var now, began time.Duration
	lives := map[*life]*life{}
	known := map[*process]bool{}
	for i, s := range steps {
		now += s.wait
		if s.flush {
			now = nextFlush(now, began)
		}
		if s.restart != "" {
			began = now
		}
		if s.restart == "crash" && (i == 0 || !steps[i-1].flush) {
			return false
		}
		for _, l := range lives {
			if s.restart != "" && h.baselines && now-l.born < collection {
				return false // is what comes next of the first collection?
			}
		}
		if s.quiet {
			now += quietFor
		}
		for _, r := range s.push {
			l := lives[r.from.life]
			if l == nil {
				l = &life{}
				lives[r.from.life] = l
			}
			if l.known && !l.admits(&r, now, h.baselines, known[r.from]) {
				return false
			}
			known[r.from] = true
		}
		for _, r := range inTimeOrder(s.push) {
			lives[r.from.life].hear(&r, now)
		}
	}
	return true
}

// admits reports whether the oracle knows what a request does to a life.
func (l *life) admits(r *request, now time.Duration, baselines, process bool) bool {
	age := now - l.born
	switch {
	case !l.usable(now): // its tombstone has been closed
	case r.goodbye && !l.gone && r.at <= l.last: // an old goodbye of a life that came back
	case baselines && age > 0 && age <= collection-time.Second: // at the edge of its first collection
	case baselines && !process && now-l.heard >= staleAfter: // is it the same life?
	default:
		return true
	}
	return false
}

// hear takes note of a request.
func (l *life) hear(r *request, now time.Duration) {
	if !l.known {
		l.known, l.born = true, now
	}
	l.heard = now
	switch {
	case r.goodbye && l.gone && r.at <= l.last: // said again
	case r.goodbye:
		l.goodbye, l.gone = now, true
	case r.at > l.last:
		l.gone = false
	}
	l.last = max(l.last, r.at)
}

// shortened makes a history fail only as long as it is in the domain.
func shortened(h *history, fails func([]step) bool) func([]step) bool {
	return func(steps []step) bool {
		return slices.ContainsFunc(steps, func(s step) bool { return s.flush }) && inDomain(h, steps) && fails(steps)
	}
}
