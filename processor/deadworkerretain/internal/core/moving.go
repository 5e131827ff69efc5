package core

// How surely a start moves that changed while the value grew. Ten of these in a
// row are called a fault: no ten processes that replace each other happen to count
// further each than the one before. Where the clock says the same, three will do.
const (
	moveByValue = 1
	moveByClock = 4
	moveIsFault = 10
	// Where a value also fell with a new start, processes do replace each other:
	// each time asks for one more. So often at most:
	mostFell = 60
)

// near is how close to a point an exporter stamps a start that moves with it.
// What a process does between its birth and its push takes longer, and so does
// its birth after the death of another.
const near = int64(10_000_000)

// moving looks for exporters whose start time moves with every push: each push
// then looks like a new run of a value that only grows. A process that replaces
// another begins near zero, or pushes more than once. grew compares the value with
// the last one.
func (a *applying) moving(l *life, s *stream, p *point, grew int) {
	if !s.run.known() || !s.run.is(runUsed) || grew == 0 {
		// Equal: jobs that count to one each, or an exporter with nothing to do.
		return
	}
	ext := s.extend()
	later := p.start > s.run.start
	if grew < 0 || !later || !s.run.is(runLit) {
		ext.moves = 0
		if grew < 0 && later {
			ext.fell = min(ext.fell+1, mostFell)
		}
		return
	}
	surely := uint8(moveByValue)
	if s.run.movedWith(p) {
		surely = moveByClock
	}
	enough := moveIsFault + ext.fell*moveByClock
	if ext.moves = min(ext.moves+surely, enough); ext.moves < enough || l.announced.moving {
		return
	}
	l.announced.moving = true
	a.t.tell(Event{
		Warn: true, Worker: l.name(a.t.opt), Metric: s.series.family.name,
		Text:   "the start time moves with every push although the value only grows, so that each push looks like a new process",
		Remedy: "set start_time: ignore",
	})
}

// movedWith reports whether a start follows the points: it is the time of its own
// point, or that of the point before, or it is the run's start that has drifted a
// little though its process lived on.
func (r *run) movedWith(p *point) bool {
	drifted := p.start < r.t && p.start-r.start < (p.t-r.t)/10
	return isNear(p.start, p.t) || isNear(p.start, r.t) || drifted
}

func isNear(a, b int64) bool { return max(a, b)-min(a, b) <= near }

// grown compares the count of a distribution with that of a run.
func (in *dist) grown(r *run) int {
	if r.dist == nil {
		return 0
	}
	return cmp(in.count, r.dist.count)
}
