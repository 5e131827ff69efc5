package core

import (
	"errors"
	"fmt"
)

// Result is what became of a request.
type Result struct {
	Counts Counts
	// Err says why something was not applied; the sender hears it if nothing was.
	Err error
	// Commit lists what must be on disk before the sender is answered.
	Commit []CommitID
}

// CommitID names a life whose state must be durable.
type CommitID struct{ life *life }

// applying is one request on its way through the table.
type applying struct {
	t     *Table
	b     *Batch
	now   Instant
	res   Result
	errs  []error
	grown bool
	known bool
	// began is set when a run begins, known when one goes on.
	began   bool
	delta   bool
	refusal error
}

// Apply applies a request: the data of all its resources, then its signals.
func (t *Table) Apply(b *Batch, now Instant) Result {
	a := &applying{t: t, b: b, now: now}
	for i := range b.blocks {
		var l *life
		if len(b.blocks[i].points) > 0 {
			l = a.block(&b.blocks[i])
		}
		b.lives = append(b.lives, l)
	}
	for i := range b.blocks {
		bl := &b.blocks[i]
		if bl.badSignal != nil {
			a.errs = append(a.errs, bl.badSignal)
			a.res.Counts[Invalid]++
		}
		for _, s := range bl.signals {
			if err := a.signal(bl, b.lives[i], s); err != nil {
				a.errs = append(a.errs, err)
				continue
			}
			a.res.Counts[Accepted]++
		}
	}
	a.res.Counts[Invalid] += b.invalid.n
	if b.invalid.first != nil {
		a.errs = append(a.errs, b.invalid.first)
	}
	a.res.Err = errors.Join(a.errs...)
	t.stats.Points.Add(&a.res.Counts)
	return a.res
}

// block applies the data of one worker. It answers nil if the worker was refused.
func (a *applying) block(bl *block) *life {
	l, err := a.t.lifeFor(bl, a.now)
	if err != nil {
		a.errs = append(a.errs, err)
		a.res.Counts[Refused] += uint64(len(bl.points))
		return nil
	}
	a.t.save(l)
	newest := bl.points[len(bl.points)-1].t
	if newest == 0 {
		newest = a.now.Wall
	}
	a.grown, a.known, a.began, a.delta, a.refusal = false, false, false, false, nil
	fresh := a.fresh(l, newest)
	if !l.alive() && fresh {
		a.t.revive(l, a.now)
	}
	a.points(l, bl.points)
	if !l.alive() && a.grown && !l.death.reason.said() {
		if a.t.revive(l, a.now); l.alive() {
			a.t.lightPushed(l, bl.points)
		}
	}
	if (a.known || !a.began) && l.death.serial != 0 && l.alive() {
		a.t.returned(l)
	}
	if l.alive() {
		if fresh {
			l.gaps.push(a.now.Mono)
		}
		l.seen = a.now.Mono
		l.death = death{}
	}
	a.t.besides(l, newest)
	if fresh {
		l.last = newest
	}
	if a.refusal != nil {
		a.errs = append(a.errs, a.refusal)
	}
	if a.delta {
		a.commit(l)
	}
	return l
}

// fresh reports whether a push is later than all before it. Two in a row that
// are earlier mean that the worker's clock was set back, and then the order of
// arrival decides; but not after a death that was told: there they are
// stragglers, however many.
func (a *applying) fresh(l *life, newest int64) bool {
	if newest > l.last {
		l.early = 0
		return true
	}
	if newest == l.last || newest == l.early {
		return false
	}
	moved := l.early != 0 && (l.alive() || !l.death.reason.said())
	if l.early = newest; moved {
		l.early = 0
	}
	return moved
}

func (a *applying) commit(l *life) { a.res.Commit = append(a.res.Commit, CommitID{l}) }

// points applies points that are in the order of their times. Pushes of one
// worker mostly repeat the order of the last one, which saves looking up.
func (a *applying) points(l *life, points []point) {
	nextStream, nextLevel := 0, 0
	for i := range points {
		p := &points[i]
		ref := &a.b.metrics[p.metric]
		if p.t == 0 {
			p.t = a.now.Wall
		}
		if ref.kind.instantaneous() {
			a.res.Counts[a.levelPoint(l, p, ref, &nextLevel)]++
			continue
		}
		var s *stream
		if nextStream < len(l.streams) && l.streams[nextStream].key == p.key {
			s = &l.streams[nextStream]
		} else if at, ok := l.find(p.key); ok {
			nextStream = int(at)
			s = &l.streams[at]
		} else if s = a.newStream(l, p, ref); s == nil {
			a.res.Counts[Refused]++
			continue
		} else {
			nextStream = len(l.streams) - 1
		}
		nextStream++
		a.res.Counts[a.streamPoint(l, s, p, ref)]++
	}
}

// room reports whether a life may have one more stream.
func (a *applying) room(l *life) bool {
	if len(l.streams)+len(l.levels) < a.t.opt.MaxStreamsPerWorker {
		return true
	}
	a.refusal = &LimitError{
		Limit: "max_streams_per_worker", Value: a.t.opt.MaxStreamsPerWorker,
		What: fmt.Sprintf("further streams of worker %q are refused", l.name(a.t.opt)),
	}
	return false
}

// newStream is nil if there is no room for one.
func (a *applying) newStream(l *life, p *point, ref *metricRef) *stream {
	if !a.room(l) {
		return nil
	}
	s := a.t.seriesOf(l, p, ref, a.now)
	if s == nil {
		a.refuseSeries(ref)
		return nil
	}
	l.note(p.key, int32(len(l.streams)))
	l.streams = append(l.streams, stream{key: p.key, series: s})
	if l.alive() {
		s.feeders++
		a.t.stats.Streams++
	}
	return &l.streams[len(l.streams)-1]
}

func (a *applying) refuseSeries(ref *metricRef) {
	a.refusal = &LimitError{
		Limit: "max_series", Value: a.t.opt.MaxSeries,
		What: fmt.Sprintf("a new series of metric %q is refused", ref.metric.Name()),
	}
}

// seriesOf is the series that a new stream of a life feeds. In split output it
// is the life's own, which is folded into the retained one.
func (t *Table) seriesOf(l *life, p *point, ref *metricRef, now Instant) *series {
	s := t.seriesIn(l.identity.group, p, ref, now)
	if s == nil || !t.opt.Split || !l.alive() {
		return s
	}
	return t.ownSeries(l, s, now)
}
