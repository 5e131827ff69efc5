package core

import (
	"fmt"
	"slices"
)

// run is one stream with one start time: its last accepted value.
type run struct {
	start int64
	// t is the latest point time accepted.
	t int64
	// bits is the last value of a number run, dist that of every other.
	bits uint64
	dist *dist
	// seen is when the last point arrived, in seconds by Mono, rounded up.
	seen  uint32
	flags runFlags
}

type runFlags uint8

const (
	// runFloat: bits is a double.
	runFloat runFlags = 1 << iota
	// runLit: the run lives, and its layout counts among the living ones.
	runLit
	// runDelta: the run adds up the deltas of its stream; it has no start.
	runDelta
	// runUsed tells a stream's first run from an empty place.
	runUsed
)

func (r *run) is(f runFlags) bool { return r.flags&f != 0 }

func (r *run) number() number { return number{r.bits, r.is(runFloat)} }

func (r *run) setNumber(n number) {
	r.bits = n.bits
	if n.float {
		r.flags |= runFloat
	} else {
		r.flags &^= runFloat
	}
}

// known reports whether the run's start time names it.
func (r *run) known() bool { return r.start != 0 && !r.is(runDelta) }

// stream is one series of one life.
type stream struct {
	key    Key
	series *series
	// run is the newest run; most streams never have another.
	run run
	ext *extension
}

// extension is what few streams need.
type extension struct {
	// others are further runs, in no order.
	others  []run
	windows *windows
	dip     dip
	// moves adds up how surely start times in a row have moved, fell counts those
	// with which the value fell.
	moves, fell uint8
	// exemplars is the time of the newest exemplar by the start of its run.
	exemplars map[int64]int64
	apart     *apart
}

// dip remembers that every point of a run has been lower than its last value.
type dip struct {
	active bool
	start  int64
	// since is when the first lower point arrived, by Mono.
	since int64
	// t is the time of the last lower point.
	t int64
}

func (s *stream) extend() *extension {
	if s.ext == nil {
		s.ext = &extension{}
	}
	return s.ext
}

// runs calls yield for every run until it returns false.
func (s *stream) runs(yield func(*run) bool) {
	if s.run.is(runUsed) && !yield(&s.run) {
		return
	}
	if s.ext != nil {
		for i := range s.ext.others {
			if !yield(&s.ext.others[i]) {
				return
			}
		}
	}
}

// maxRuns is how many runs of one stream are told apart: far more than processes
// share an identity, and few enough to be looked through for every point.
const maxRuns = 1 << 12

// limitRuns makes room for one more run of a stream. The one that was silent for
// longest is closed: what it has counted stays, and what it pushes from now on
// adds nothing.
func (a *applying) limitRuns(l *life, s *stream) {
	if s.ext == nil || len(s.ext.others) < maxRuns-1 {
		return
	}
	oldest := 0
	for i := range s.ext.others {
		if s.ext.others[i].seen < s.ext.others[oldest].seen {
			oldest = i
		}
	}
	a.t.douse(l, s, &s.ext.others[oldest])
	a.t.closeAlone(l, s, &s.ext.others[oldest], a.now)
	s.ext.others = slices.Delete(s.ext.others, oldest, oldest+1)
	if !l.announced.crowded {
		l.announced.crowded = true
		a.t.tell(Event{
			Warn: true, Worker: l.name(a.t.opt), Metric: s.series.family.name,
			Text:   fmt.Sprintf("more than %d start times push under one identity: the one that was silent for longest is closed, and adds nothing any more", maxRuns),
			Remedy: "give every process an identity of its own",
		})
	}
}

// begin puts a new run in front; the one before moves to the others.
func (s *stream) begin(r run) *run {
	r.flags |= runUsed
	if s.run.is(runUsed) {
		ext := s.extend()
		ext.others = append(ext.others, s.run)
	}
	s.run = r
	return &s.run
}

// find is the run with this start that a point with this start belongs to: of
// several, after a hidden reset, the highest one that the point can follow, and
// otherwise the newest.
func (s *stream) find(start int64, follows func(*run) bool) *run {
	if s.run.is(runUsed) && s.run.start == start && !s.run.is(runDelta) {
		if s.ext == nil || len(s.ext.others) == 0 {
			return &s.run
		}
	}
	if s.ext == nil {
		return nil
	}
	var newest, best *run
	for r := range s.runs {
		if r.start != start || r.is(runDelta) {
			continue
		}
		if newest == nil {
			newest = r
		}
		if follows(r) && (best == nil || r.above(best)) {
			best = r
		}
	}
	if best != nil {
		return best
	}
	return newest
}

// above compares the high-water marks of two runs of one stream.
func (r *run) above(o *run) bool {
	if r.dist != nil && o.dist != nil {
		return r.dist.count > o.dist.count
	}
	return r.number().compare(o.number()) > 0
}
