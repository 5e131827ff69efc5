package core

// Stats are the table's self-metrics: what it holds now, and what has happened
// since it was made.
type Stats struct {
	Running, Quiet, Dead int
	Streams              int
	Series               int
	SharedIdentities     int

	Points          Counts
	Folds           [reasons]uint64
	Returns         uint64
	Inherited       uint64
	LayoutConflicts uint64
	ClosedEarly     uint64
}

// Stats is what the table holds and has seen.
func (t *Table) Stats() Stats {
	s := t.stats
	s.Dead, s.Series = t.graves.n, len(t.series)
	s.Running = len(t.living) - s.Quiet
	return s
}

// FoldsByReason calls yield for every reason with its name and number.
func (s *Stats) FoldsByReason(yield func(reason string, n uint64) bool) {
	for r, n := range s.Folds {
		if !yield(Reason(r).String(), n) {
			return
		}
	}
}

// PointsByOutcome calls yield for every outcome with its name and number.
func (s *Stats) PointsByOutcome(yield func(outcome string, n uint64) bool) {
	for o, n := range s.Points {
		if !yield(Outcome(o).String(), n) {
			return
		}
	}
}
