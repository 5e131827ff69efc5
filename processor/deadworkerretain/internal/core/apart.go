package core

// apart is what a stream has added to its series beyond the last values of its
// runs. It is below zero for a baseline, which a run has and never added, and
// above for values that were added and that no run has any more. Only a journal
// record needs it, to say how much a life has added since the checkpoint; so it
// is kept with durable state only, and few streams have it.
type apart struct {
	num total
	// dist has counts that wrap around below zero.
	dist *distTotal
}

// setApart takes note that a stream has added inc without a run that has it.
func (t *Table) setApart(s *stream, inc increment) {
	if t.unsaved.on {
		s.extend().beside().num.add(inc)
	}
}

// setDistApart takes note that a stream has added a value that no run has, or,
// negative, that a run has a value which was not added.
func (t *Table) setDistApart(s *stream, d *dist, negative bool) {
	if !t.unsaved.on {
		return
	}
	g := &gain{}
	g.whole(d)
	if negative {
		g.negate()
		// What is the least and the greatest of the rest is not known.
		g.hasMin, g.hasMax = false, false
	}
	a := s.extend().beside()
	if a.dist == nil {
		a.dist = &distTotal{}
	}
	a.dist.addAnyway(g)
}

func (e *extension) beside() *apart {
	if e.apart == nil {
		e.apart = &apart{}
	}
	return e.apart
}

func (i increment) negative() increment {
	return increment{i: -i.i, f: dd{-i.f.hi, -i.f.lo}, float: i.float}
}

// notBelow0 is what rounding may leave below zero, as nothing.
func (i increment) notBelow0() increment {
	if i.i < 0 || i.f.hi < 0 {
		return increment{float: i.float}
	}
	return i
}

// negate makes all counts wrap around to what undoes them.
func (g *gain) negate() {
	g.count, g.sum = -g.count, dd{-g.sum.hi, -g.sum.lo}
	negateAll(g.buckets)
	if g.exp != nil {
		g.exp.zero = -g.exp.zero
		negateAll(g.exp.pos.counts)
		negateAll(g.exp.neg.counts)
	}
}

func negateAll(counts []uint64) {
	for i := range counts {
		counts[i] = -counts[i]
	}
}

// added is all that a number stream has ever added.
func (s *stream) added() (sum total) {
	for r := range s.runs {
		sum.add(r.number().whole())
	}
	if s.ext != nil && s.ext.apart != nil {
		sum.absorb(&s.ext.apart.num)
	}
	return sum
}

// addedDist is all that any other stream has ever added.
func (s *stream) addedDist() *distTotal {
	sum := &distTotal{}
	g := &gain{}
	for r := range s.runs {
		if r.dist != nil {
			g.whole(r.dist)
			sum.addAnyway(g)
		}
	}
	if s.ext != nil && s.ext.apart != nil && s.ext.apart.dist != nil {
		sum.absorb(s.ext.apart.dist)
	}
	return sum
}

// beyond makes g what the later of two sums holds beyond the earlier one. No
// count of it is below zero and no bucket falls: where a stream has changed to
// fewer bounds in between, what it has lost in detail is not taken back.
func (g *gain) beyond(later, earlier *distTotal) {
	before := gain{sum: earlier.sum, bounds: earlier.bounds}
	before.count, before.buckets = earlier.count, append([]uint64(nil), earlier.counts...)
	before.hasSum, before.hasMin, before.hasMax = true, true, true
	before.min, before.max = later.min, later.max
	if earlier.exp != nil {
		before.exp = earlier.exp.clone()
	}
	before.negate()
	noSum := later.noSum
	later.add(&before)

	*g = gain{sum: later.sum, bounds: later.bounds}
	g.count, g.min, g.max = later.count, later.min, later.max
	g.hasSum, g.hasMin, g.hasMax = !noSum, !later.noMin && later.started, !later.noMax && later.started
	g.buckets, g.exp = rising(later.counts, later.count), later.exp
	if g.exp != nil {
		g.count = g.exp.onlyPositive()
	}
}

// rising makes counts that may be below zero into counts that are not, without
// lowering what lies at or below any bound. total is their sum.
func rising(counts []uint64, total uint64) []uint64 {
	at, reached := uint64(0), uint64(0)
	for i, n := range counts {
		at += n
		next := reached
		if !below0(at) && at > reached {
			next = min(at, total)
		}
		counts[i], reached = next-reached, next
	}
	return counts
}

func below0(n uint64) bool { return int64(n) < 0 }

// onlyPositive drops counts below zero and returns the sum of the rest.
func (e *expo) onlyPositive() uint64 {
	if below0(e.zero) {
		e.zero = 0
	}
	sum := e.zero
	for _, side := range []*buckets{&e.pos, &e.neg} {
		for i, n := range side.counts {
			if below0(n) {
				side.counts[i] = 0
			}
			sum += side.counts[i]
		}
	}
	return sum
}
